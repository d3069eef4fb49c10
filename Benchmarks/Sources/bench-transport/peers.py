# Peer of the socket benchmarks: the Python `websockets` client, driven by lines on standard input.
#   echo PORT SIZE COUNT    prints the seconds of COUNT median round trips
#   push PORT SIZE COUNT    prints the seconds in which COUNT messages arrive
import asyncio
import statistics
import sys
import time

from websockets.asyncio.client import connect


async def echo(port, size, count):
    async with connect(f"ws://127.0.0.1:{port}/echo", compression=None, max_size=None) as socket:
        message = "x" * size
        seconds = []
        for _ in range(count):
            start = time.perf_counter()
            await socket.send(message)
            await socket.recv()
            seconds.append(time.perf_counter() - start)
        return statistics.median(seconds) * count


async def push(port, size, count):
    async with connect(f"ws://127.0.0.1:{port}/push", compression=None, max_size=None) as socket:
        start = time.perf_counter()
        await socket.send(f"{size} {count}")
        for _ in range(count):
            await socket.recv()
        return time.perf_counter() - start


for line in sys.stdin:
    name, *numbers = line.split()
    print(asyncio.run({"echo": echo, "push": push}[name](*map(int, numbers))), flush=True)
