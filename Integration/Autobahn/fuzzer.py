#!/usr/bin/env python3
"""Fuzzing server for the cases of the Autobahn test suite.

The suite (PyPI `autobahntestsuite`) runs on Python 2 only, with an old Autobahn and Twisted. Its cases,
though, only talk to a small protocol object. Here they are translated with lib2to3 as they are loaded,
and that object is our own, on asyncio, so that every case runs unchanged on Python 3.

Text and bytes were one in Python 2. Cases get and give strings of the characters 0 to 255; those of
sections 12 and 13 use bytes.

usage: fuzzer.py [--port N] [--cases PREFIX,...] [--count N]

Prints the port, serves one run of a client and ends when that asks for /updateReports: with 0 if all
cases were OK, NON-STRICT or INFORMATIONAL, and 1 otherwise.
"""
import argparse
import asyncio
import base64
import codecs
import hashlib
import importlib.abc
import importlib.util
import os
import re
import struct
import sys
import types
import urllib.parse
import warnings
import zlib

warnings.simplefilter("ignore")
from lib2to3.refactor import RefactoringTool, get_fixers_from_package  # noqa: E402

GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}


# The suite's modules, translated -----------------------------------------------------------------


class Offer:
    """What a client offers for permessage-deflate, with the names the cases use."""

    def __init__(self, acceptNoContextTakeover=True, acceptMaxWindowBits=True,
                 requestNoContextTakeover=False, requestMaxWindowBits=0):
        self.acceptNoContextTakeover = acceptNoContextTakeover
        self.acceptMaxWindowBits = acceptMaxWindowBits
        self.requestNoContextTakeover = requestNoContextTakeover
        self.requestMaxWindowBits = requestMaxWindowBits

    @classmethod
    def parse(cls, header):
        offers = []
        for item in header.split(","):
            name, *parameters = [part.strip() for part in item.split(";")]
            if name == "permessage-deflate":
                names = [parameter.split("=")[0] for parameter in parameters]
                offers.append(cls(True, "client_max_window_bits" in names))
        return offers


class Acceptance:
    """What the server agrees to: its requests bind the client."""

    def __init__(self, offer, requestNoContextTakeover=False, requestMaxWindowBits=0):
        self.no_context_takeover = requestNoContextTakeover
        self.window_bits = requestMaxWindowBits or 15
        self.header = "permessage-deflate"
        if requestNoContextTakeover:
            self.header += "; client_no_context_takeover"
        if requestMaxWindowBits:
            self.header += "; client_max_window_bits=%d" % requestMaxWindowBits


class Validator:
    """Whether text is UTF-8 so far, and whether it may end here."""

    def reset(self):
        pass

    def validate(self, text):
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(text.encode("latin-1"))
        except UnicodeDecodeError:
            return False, False, 0, 0
        return True, not decoder.getstate()[0], 0, 0


class States:
    STATE_CLOSED, STATE_CONNECTING, STATE_CLOSING, STATE_OPEN = range(4)
    CLOSE_STATUS_CODE_NORMAL = 1000
    CLOSE_STATUS_CODE_PROTOCOL_ERROR = 1002
    CLOSE_STATUS_CODE_INVALID_PAYLOAD = 1007


class Translator(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the suite's case modules and translates them to Python 3."""

    def __init__(self, folder):
        self.folder = folder
        self.tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))

    def find_spec(self, name, path=None, target=None):
        file = os.path.join(self.folder, name + ".py")
        if "." in name or not os.path.exists(file):
            return None
        return importlib.util.spec_from_file_location(name, file, loader=self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        with open(module.__spec__.origin, encoding="latin-1") as file:
            source = file.read().replace("# coding=utf-8", "")
        source = source.replace("(object, Case, )", "(Case, )")
        # Division of integers, and hexadecimal of what was text and bytes at once.
        source = source.replace(" / self.p.autoFragmentSize", " // self.p.autoFragmentSize")
        if module.__name__ != "case12_x_x":
            source = source.replace("binascii.b2a_hex(", "b2a_hex(")
            source = source.replace(
                '.encode("utf-8")', '.encode("utf-8", "surrogatepass").decode("latin-1")')
            module.b2a_hex = lambda text: text.encode("latin-1").hex()
        tree = self.tool.refactor_string(source.rstrip() + "\n", module.__name__)
        exec(compile(str(tree), module.__spec__.origin, "exec"), module.__dict__)


def load_cases():
    suite = importlib.util.find_spec("autobahntestsuite").submodule_search_locations[0]
    fake = {
        "autobahn": {}, "autobahn.websocket": {},
        "autobahn.websocket.protocol": {"WebSocketProtocol": States},
        "autobahn.websocket.utf8validator": {"Utf8Validator": Validator},
        "autobahn.websocket.compress": {
            "PerMessageDeflateOffer": Offer, "PerMessageDeflateOfferAccept": Acceptance,
            "PerMessageDeflateResponse": type("Response", (), {}),
            "PerMessageDeflateResponseAccept": type("ResponseAccept", (), {})},
        "autobahn.util": {"newid": lambda: "0"},
        "pkg_resources": {"resource_filename": lambda package, name: os.path.join(suite, name)},
        "zope": {}, "zope.interface": {"implements": lambda *interfaces: None,
                                       "implementer": lambda *interfaces: lambda c: c},
        "twisted": {}, "twisted.internet": {"reactor": None, "interfaces": types.SimpleNamespace(
            IPushProducer=object)},
    }
    for name, members in fake.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module
    folder = os.path.join(suite, "case")
    sys.meta_path.insert(0, Translator(folder))
    with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as file:
        listing = file.read()
    modules = re.findall(r"^from (case\w+) import \*", listing, re.M)
    left_out = set(re.findall(r"^#Cases \+= \[(\w+)\]", listing, re.M))
    cases = {}
    for name in modules:
        for value in vars(importlib.import_module(name)).values():
            for item in value if isinstance(value, list) else [value]:
                match = re.fullmatch(r"Case(\d+(_\d+)+)", getattr(item, "__name__", ""))
                if match and isinstance(item, type) and item.__name__ not in left_out:
                    cases[match[1].replace("_", ".")] = item
    return dict(sorted(cases.items(), key=lambda case: [int(n) for n in case[0].split(".")]))


# The protocol object -----------------------------------------------------------------------------


class Protocol(States):
    """One connection, as a case sees it."""

    def __init__(self, reader, writer, loop):
        self.reader, self.writer, self.loop = reader, writer, loop
        self.factory = types.SimpleNamespace(isServer=True)
        self.state = self.STATE_CONNECTING
        self.autoFragmentSize = 0
        self.createWirelog = False
        self.closedByMe = self.droppedByMe = self.failedByMe = False
        self.connectionWasOpen = self.wasClean = False
        self.remoteCloseCode = self.localCloseCode = None
        self.remoteCloseReason = self.localCloseReason = None
        self.perMessageCompressionAccept = None
        self._perMessageCompress = None
        self.txFrameStats = {}
        self.trafficStats = None
        self.case = None
        self.bytes_wanted = False
        self.timers = []
        self.frame_opcode = None

    # Sending

    @staticmethod
    def octets(text):
        return text if isinstance(text, bytes) else (text or "").encode("latin-1")

    def write(self, data, chopsize=None):
        if self.state == self.STATE_CLOSED:
            return
        if chopsize:
            for start in range(0, len(data), chopsize):
                self.writer.write(data[start:start + chopsize])
        else:
            self.writer.write(data)

    def header(self, opcode, length, fin=True, rsv=0):
        self.txFrameStats[opcode] = self.txFrameStats.get(opcode, 0) + 1
        first = (0x80 if fin else 0) | rsv << 4 | opcode
        if length < 126:
            return struct.pack("!BB", first, length)
        if length <= 0xFFFF:
            return struct.pack("!BBH", first, 126, length)
        return struct.pack("!BBQ", first, 127, length)

    def sendFrame(self, opcode, payload="", fin=True, rsv=0, mask=None, payload_len=None,
                  chopsize=None, sync=False):
        data = self.octets(payload)
        if payload_len is not None:
            data = (data * (payload_len // max(1, len(data)) + 1))[:payload_len]
        self.write(self.header(opcode, len(data), fin, rsv) + data, chopsize)

    def sendMessage(self, payload, isBinary=False, fragmentSize=None, sync=False):
        data, rsv = self.octets(payload), 0
        if self._perMessageCompress:
            data, rsv = self._perMessageCompress.compress(data), 4
        size = fragmentSize or self.autoFragmentSize or len(data) or 1
        starts = range(0, max(1, len(data)), size)
        for start in starts:
            piece = data[start:start + size]
            first, last = start == 0, start == starts[-1]
            opcode = (2 if isBinary else 1) if first else 0
            self.write(self.header(opcode, len(piece), last, rsv if first else 0) + piece)

    def beginMessage(self, opcode=1, isBinary=False):
        self.frame_opcode = 2 if isBinary else opcode

    def beginMessageFrame(self, length):
        self.write(self.header(self.frame_opcode, length, fin=False))
        self.frame_opcode = 0

    def sendMessageFrameData(self, payload, sync=False):
        self.write(self.octets(payload))

    def endMessage(self):
        self.write(self.header(0, 0))

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        payload = b"" if code is None else struct.pack("!H", code) + self.octets(reasonUtf8)
        self.write(self.header(8, len(payload)) + payload)
        if self.state == self.STATE_OPEN:
            self.state = self.STATE_CLOSING
            self.closedByMe = not isReply
            self.localCloseCode, self.localCloseReason = code, reasonUtf8

    def sendClose(self, code=None, reason=None):
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(code, reason)
            self.after(10, self.drop)

    def registerProducer(self, producer, streaming):
        async def produce():
            producer.resumeProducing()
        self.loop.create_task(produce())

    # Time

    def after(self, delay, function, *arguments):
        def run():
            if self.state != self.STATE_CLOSED:
                function(*arguments)
        self.timers.append(self.loop.call_later(delay, run))

    def continueLater(self, delay, function, tag=None):
        self.after(delay, function)

    def killAfter(self, delay):
        self.after(delay, self.fail)

    def closeAfter(self, delay):
        self.after(delay, self.sendClose)

    def enableWirelog(self, enable):
        pass

    def fail(self):
        self.failedByMe = True
        self.drop()

    def drop(self):
        self.droppedByMe = True
        self.writer.transport.abort()

    # Receiving

    async def serve(self):
        message, opcode, compressed = b"", None, False
        try:
            while True:
                first, second = await self.reader.readexactly(2)
                length = second & 127
                if length == 126:
                    length, = struct.unpack("!H", await self.reader.readexactly(2))
                elif length == 127:
                    length, = struct.unpack("!Q", await self.reader.readexactly(8))
                assert second & 0x80, "the client's frame is not masked"
                mask = await self.reader.readexactly(4)
                payload = unmask(await self.reader.readexactly(length), mask)
                kind = first & 15
                if kind == 8:
                    if self.close_received(payload):
                        return
                elif kind == 9:
                    self.sendFrame(10, payload)
                    self.case.onPing(self.given(payload))
                elif kind == 10:
                    self.case.onPong(self.given(payload))
                else:
                    if kind:
                        message, opcode, compressed = b"", kind, bool(first & 0x40)
                    message += payload
                    if first & 0x80:
                        if compressed:
                            message = self._perMessageCompress.decompress(message)
                        if self.state == self.STATE_OPEN:
                            self.case.onMessage(self.given(message), opcode == 2)
                await self.writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    def given(self, payload):
        return payload if self.bytes_wanted else payload.decode("latin-1")

    def close_received(self, payload):
        if len(payload) >= 2:
            self.remoteCloseCode, = struct.unpack("!H", payload[:2])
            self.remoteCloseReason = payload[2:].decode("utf-8")
        self.wasClean = True
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(self.remoteCloseCode, isReply=True)
        return True


class Deflate:
    """permessage-deflate at the server's end."""

    def __init__(self, acceptance):
        self.acceptance = acceptance
        self.compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.decompressor = self.new_decompressor()

    def new_decompressor(self):
        return zlib.decompressobj(-self.acceptance.window_bits)

    def compress(self, data):
        out = self.compressor.compress(data) + self.compressor.flush(zlib.Z_SYNC_FLUSH)
        return out[:-4] or b"\0"

    def decompress(self, data):
        out = self.decompressor.decompress(data + b"\0\0\xff\xff")
        if self.acceptance.no_context_takeover:
            self.decompressor = self.new_decompressor()
        return out


def unmask(payload, mask):
    length = len(payload)
    key = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
    return (int.from_bytes(payload, "big") ^ key).to_bytes(length, "big")


# The server --------------------------------------------------------------------------------------


class Fuzzer:
    def __init__(self, cases, count):
        self.cases, self.count = cases, count
        self.results = {}
        self.done = asyncio.Event()

    async def accept(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")
        target = urllib.parse.urlsplit(lines[0].split(" ")[1])
        query = urllib.parse.parse_qs(target.query)
        headers = {}
        for line in lines[1:]:
            if line:
                name, value = line.split(":", 1)
                headers[name.strip().lower()] = value.strip()
        protocol = Protocol(reader, writer, asyncio.get_running_loop())
        name = None
        if target.path == "/runCase":
            name = list(self.cases)[int(query["case"][0]) - 1]
            protocol.bytes_wanted = name.split(".")[0] in ("12", "13")
            protocol.case = self.cases[name](protocol)
            if protocol.bytes_wanted:
                protocol.case.COUNT = min(self.count, protocol.case.COUNT)
        self.answer(protocol, headers)
        protocol.state, protocol.connectionWasOpen = protocol.STATE_OPEN, True
        if name:
            await self.run(name, protocol)
        else:
            await self.inform(target.path, protocol)
        for timer in protocol.timers:
            timer.cancel()
        protocol.state = protocol.STATE_CLOSED
        writer.close()

    @staticmethod
    def answer(protocol, headers):
        digest = hashlib.sha1((headers["sec-websocket-key"]
                               + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        text = ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Accept: %s\r\n" % base64.b64encode(digest).decode())
        if protocol.perMessageCompressionAccept:
            offers = Offer.parse(headers.get("sec-websocket-extensions", ""))
            acceptance = protocol.perMessageCompressionAccept(offers)
            if acceptance:
                text += "Sec-WebSocket-Extensions: %s\r\n" % acceptance.header
                protocol._perMessageCompress = Deflate(acceptance)
        protocol.writer.write((text + "\r\n").encode())

    async def run(self, name, protocol):
        case = protocol.case
        try:
            case.onOpen()
            await protocol.serve()
            protocol.state = protocol.STATE_CLOSED
            case.onConnectionLost(protocol.failedByMe)
            self.results[name] = (case.behavior, case.behaviorClose, case.result, case.resultClose)
        except Exception as error:  # A case that cannot run is a failure, not the end of the run.
            self.results[name] = ("FAILED", "FAILED", "%s: %s" % (type(error).__name__, error), "")
        if not GOOD.issuperset(self.results[name][:2]):
            print("%-8s %s" % (name, " / ".join(self.results[name])), flush=True)

    async def inform(self, path, protocol):
        if path == "/getCaseCount":
            protocol.sendMessage(str(len(self.cases)))
        protocol.sendClose(1000)
        await protocol.serve()
        if path == "/updateReports":
            self.done.set()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--cases", default="1,2,3,4,5,6,7,9,10,12,13")
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    prefixes = [prefix + "." for prefix in options.cases.split(",")]
    cases = {name: case for name, case in load_cases().items()
             if any((name + ".").startswith(prefix) for prefix in prefixes)}
    fuzzer = Fuzzer(cases, options.count)
    server = await asyncio.start_server(fuzzer.accept, "127.0.0.1", options.port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await fuzzer.done.wait()
    server.close()
    return report(fuzzer)


def report(fuzzer):
    sections = {}
    for name in fuzzer.cases:
        behavior = fuzzer.results.get(name, ("NOT RUN", "", "", ""))[0]
        counts = sections.setdefault(name.split(".")[0], {})
        counts[behavior] = counts.get(behavior, 0) + 1
    for section, counts in sections.items():
        print("section %-3s %s" % (section, ", ".join("%d %s" % (n, b) for b, n in counts.items())))
    bad = [name for name in fuzzer.cases
           if not GOOD.issuperset(fuzzer.results.get(name, ("NOT RUN", "NOT RUN"))[:2])]
    print("%d cases, %d not as they should be" % (len(fuzzer.cases), len(bad)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
