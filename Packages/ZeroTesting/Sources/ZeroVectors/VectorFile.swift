public import ZeroProtocol
