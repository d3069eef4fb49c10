print("no vectors yet")
