"""Inputs of twice the size take at most 2.5 times the CPU and the memory, whatever their shape (shapes.py), in the commands and in
the server; and none up to 1 MB takes more than 2 s or 500 MB (on a slower machine so much longer as it is slower).

usage: growth.py [--worst | --replays | NAME…] [--list]     --worst: the ten that have grown fastest; --replays: what fuzzers found;
NAME: these, with all figures
"""
import argparse
import functools
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import shapes
import shapes_asked  # noqa: F401 (adds its rows to shapes.SHAPES)
import shapes_files  # noqa: F401
import shapes_hard  # noqa: F401
import shapes_lines  # noqa: F401
import shapes_many  # noqa: F401
import shapes_more  # noqa: F401
import shapes_others  # noqa: F401
import shapes_python  # noqa: F401
import shapes_repl  # noqa: F401
import shapes_sessions  # noqa: F401
import shapes_various  # noqa: F401

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

SLOW = "asan" in RLX or "san" in os.path.basename(os.path.dirname(RLX)) or "stress" in RLX
RATIO = 2.5
SECONDS, BYTES = (40 if SLOW else 2), (4 << 30 if SLOW else 500 << 20)
NOISE_SECONDS, NOISE_BYTES = 0.04, 8 << 20  # below this a difference says nothing
REPEATS, ROUNDS = 3, 6
PIECE = 0.22  # CPU seconds: what slowness() measures, on the machine for which SECONDS was chosen
LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")
# What took quadratic time or memory when these tests began, one of each cause.
WORST = (("blocks_on_one_buffer", "check"), ("blocks_of_slices", "tir"), ("outputs", "check"), ("calls_nested_wide", "check"),
         ("names_outside", "check"), ("semicolons", "server"), ("tuple_types", "check"), ("many_suppressions_in_a_line", "check"),
         ("chain_of_buffers", "server"), ("let_chain", "server"), ("shared_tuples_wrong", "server"), ("documents", "messages"))


def message(body):
    body = body if isinstance(body, bytes) else body.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def request(method, params, number=None):
    m = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        m["id"] = number
    return message(json.dumps(m))


def answer(number):
    return b'"id":%d,' % number


RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
PUBLISHED = b'"textDocument/publishDiagnostics"'


def session(text):
    """Messages of one who opens the script, looks at it, and edits it at its end, middle and start: each with a text in the message
    that is waited for, or None."""
    uri, rows = "file:///input.py", text.count("\n")
    here = {"uri": uri}
    yield request("initialize", {"capabilities": RESOLVES, "rootUri": None}, 1), answer(1)
    yield request("initialized", {}), None
    yield request("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}}), PUBLISHED
    number = 2
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": rows, "character": 0}}
    for method, params in (("documentSymbol", {}), ("foldingRange", {}), ("semanticTokens/full", {}), ("inlayHint", {"range": whole}),
                           ("codeLens", {}), ("codeAction", {"range": whole, "context": {"diagnostics": []}}), ("formatting", {"options": {}})):
        yield request("textDocument/" + method, {"textDocument": here, **params}, number), answer(number)
        number += 1
    spots = text.split("\n")
    for row in sorted({min(rows, 4), rows // 2, max(0, rows - 2), max(0, rows - 1)}):
        for column in (8, max(0, min(len(spots[row]) - 3, 40))):
            at = {"textDocument": here, "position": {"line": row, "character": column}}
            cursor = {"start": at["position"], "end": at["position"]}
            for method in ("hover", "definition", "references", "completion", "documentHighlight", "signatureHelp", "prepareCallHierarchy",
                           *["codeAction"] * (column == 8)):
                yield request("textDocument/" + method,
                              {**at, "range": cursor, "context": {"includeDeclaration": True, "diagnostics": []}}, number), answer(number)
                number += 1
            if column == 8:
                item = {"name": "main", "kind": 12, "uri": uri, "range": cursor, "selectionRange": cursor}
                yield request("callHierarchy/incomingCalls", {"item": item}, number), answer(number)
                number += 1
    version = 2
    for row in (rows, rows // 2, 1):
        at = {"line": row, "character": 0}
        for change in ({"range": {"start": at, "end": at}, "text": "#"}, {"range": {"start": at, "end": {"line": row, "character": 1}}, "text": ""}):
            yield request("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}), None
            version += 1
            # Many diagnostics that stay are not sent again, so they cannot be waited for: what is to be sent is sent between two questions.
            for _ in range(2):
                yield request("textDocument/hover", {"textDocument": here, "position": {"line": 0, "character": 0}}, number), answer(number)
                number += 1
    yield request("shutdown", None, number), answer(number)
    yield request("exit", None), None


ASKED = ("hover", "definition", "references", "completion", "documentHighlight", "signatureHelp", "codeAction", "prepareRename")


def requests(text):
    """Messages of one who works at a script: 200 questions all over it, and an edit before every tenth."""
    uri, rows = "file:///input.py", text.count("\n")
    yield request("initialize", {"capabilities": RESOLVES, "rootUri": None}, 1), answer(1)
    yield request("initialized", {}), None
    yield request("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}}), PUBLISHED
    spots = text.split("\n")
    for i in range(200):
        row = i * 7919 * max(1, rows // 200) % max(1, rows)
        at = {"line": row, "character": max(0, min(len(spots[row]) - 3, 12 + i % 5 * 4))}
        if i % 10 == 0:
            start, was = {"line": row, "character": 0}, i // 10 % 2
            yield request("textDocument/didChange", {"textDocument": {"uri": uri, "version": i + 2}, "contentChanges": [
                {"range": {"start": start, "end": {"line": row, "character": 0}}, "text": "#\n"[was:]}]}), None
            if not was:
                yield request("textDocument/didChange", {"textDocument": {"uri": uri, "version": i + 3}, "contentChanges": [
                    {"range": {"start": start, "end": {"line": row + 1, "character": 0}}, "text": ""}]}), None
        yield request("textDocument/" + ASKED[i % len(ASKED)], {
            "textDocument": {"uri": uri}, "position": at, "range": {"start": at, "end": at},
            "context": {"includeDeclaration": True, "diagnostics": []}}, i + 2), answer(i + 2)
    yield request("shutdown", None, 9999), answer(9999)
    yield request("exit", None), None


def messages(bodies):
    yield request("initialize", {"capabilities": {}, "rootUri": None}, 1), answer(1)
    yield request("initialized", {}), None
    yield request("textDocument/didOpen", {"textDocument": {"uri": "file:///a.py", "languageId": "python", "version": 1,
                                                            "text": shapes.main("        y = R.add(x, x)\n", "y")}}), PUBLISHED
    for body in bodies:
        yield message(body), None
    yield request("shutdown", None, 9999), answer(9999)
    yield request("exit", None), None


@functools.cache
def slowness():
    """How many times as long as on the machine for which SECONDS was chosen a fixed piece of work takes here; at least 1."""
    def once():
        before = time.process_time()
        for i in range(20):
            zlib.compress(b"".join(b"%d," % (k * k) for k in range(20000)), 6)
        return time.process_time() - before
    return max(1, min(once() for _ in range(3)) / PIECE)


class Cost:
    def __init__(self, seconds, size, code, errors):
        self.seconds, self.bytes, self.code, self.errors = seconds, size, code, errors


class Mail:
    """What a server sends, read on a thread of its own."""

    def __init__(self, stream, keep=False):
        self.keep = keep
        self.stream, self.condition, self.bodies, self.is_over = stream, threading.Condition(), [], False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        while True:
            size = 0
            for line in iter(self.stream.readline, b""):
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            body = self.stream.read(size) if size else b""
            with self.condition:
                self.is_over = not body
                self.bodies.append(body if self.keep or len(body) < 512 else body[:256] + body[-256:])
                self.condition.notify()
            if not body:
                return

    def wait(self, text):
        with self.condition:
            while True:
                while self.bodies:
                    body = self.bodies.pop(0)
                    if text in body:
                        return body
                if self.is_over:
                    return None
                self.condition.wait()


def run(args, folder, mail=None, typed=None):
    """CPU seconds, peak memory, exit code of one run; `mail`: messages for a server; `typed`: a file that is its standard input."""
    given, result = os.pipe()
    keys = open(os.path.join(folder, typed), "rb") if typed else subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-I", "-S", LAUNCH, str(result), str(int(SECONDS * 6 * slowness())), str(0 if SLOW else BYTES * 8), RLX, *args],
                               cwd=folder, stdin=subprocess.PIPE if mail else keys, pass_fds=[result],
                               stdout=subprocess.PIPE if mail else subprocess.DEVNULL, stderr=subprocess.PIPE)
    os.close(result)
    if typed:
        keys.close()
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    answers = Mail(process.stdout) if mail else None
    try:
        for data, awaited in mail or ():
            process.stdin.write(data)
            process.stdin.flush()
            if awaited and not answers.wait(awaited):
                break
        if mail:
            process.stdin.close()
    except BrokenPipeError:
        pass
    with os.fdopen(given) as f:
        seconds, size, code = f.read().split()
    process.wait()
    reader.join()
    if answers:
        answers.thread.join()
    return Cost(float(seconds), int(size), int(code), errors[0][-300:].decode(errors="replace"))


def put(path, what):
    """Makes a file of a text or of bytes, ("link", target) or ("pipe", ""), with the folders that it stands in; its bytes."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if isinstance(what, tuple):
        if what[0] == "link":
            os.symlink(what[1], path)
        else:
            os.mkfifo(path)
        return len(os.path.basename(path))
    data = what if isinstance(what, bytes) else what.encode()
    with open(path, "wb") as f:
        f.write(data)
    return len(data)


SESSIONS = {"server": session, "requests": requests}


class Input:
    """A shape at one size, written to a folder."""

    def __init__(self, shape, n, command, folder):
        self.folder, self.command, self.mail, self.typed, self.codes = folder, command, None, None, (0, 1)
        made = shape.make(n)
        if command == "messages":
            self.mail, self.args = list(messages(made)), ["lsp"]
            self.size = sum(len(m) for m, _ in self.mail)
        elif command == "files":
            self.args, self.size, self.codes = made.pop("args"), 0, made.pop("code", (0, 1))
            self.typed = "input" if "input" in made else None
            if self.args[0] == "check":
                self.args += ["--no-cache"]
            before = made.pop("before", None)
            for name, text in made.items():
                self.size += put(os.path.join(folder, name), text)
            if before:
                run(before, folder)
        else:
            self.text = made
            self.size = len(made.encode())
            self.path = os.path.join(folder, "input.py")
            self.write()
            self.args = [*command.split(), "input.py"] + ["--no-cache"] * command.startswith("check")
            if command in SESSIONS:
                self.mail, self.args = list(SESSIONS[command](made)), ["lsp"]

    def write(self):
        with open(self.path, "w") as f:
            f.write(self.text)

    def cost(self, repeats):
        best = None
        for _ in range(repeats):
            if "--fix" in self.command:
                self.write()
            c = run(self.args, self.folder, self.mail, self.typed)
            if best is None:
                best = c
            best.seconds, best.bytes = min(best.seconds, c.seconds), min(best.bytes, c.bytes)
            if c.seconds > 2 or c.code < 0:
                break
        return best


def measure(name, command, say):
    """What is wrong with the growth of a shape in a command, as a list of sentences. Looked at in rounds, of which the least of each
    counts: other programs run, too."""
    best = [None, None, None]
    for _ in range(ROUNDS):
        wrong = one_round(name, command, best, say)
        if not wrong:
            break
    return wrong


def one_round(name, command, costs, say):
    """The same in one round; `costs`: of no input, one of the shape's size and one of twice that, those of earlier rounds or None."""
    shape, wrong = shapes.SHAPES[name], []
    for factor in (0, 1, 2):
        with tempfile.TemporaryDirectory() as folder:
            n = max(1, shape.start * factor)
            given = Input(shape, n, command, folder)
            c = given.cost(1 if factor == 0 else REPEATS)
            if costs[factor]:
                c.seconds, c.bytes = min(c.seconds, costs[factor].seconds), min(c.bytes, costs[factor].bytes)
            costs[factor] = c
            if c.code not in given.codes:
                wrong.append(f"{n}: exit {c.code} {c.errors}")
            if given.size <= 1 << 20 and (c.seconds > SECONDS * slowness() or c.bytes > BYTES):
                wrong.append(f"{n}: {c.seconds:.2f} s and {c.bytes >> 20} MB for {given.size >> 10} KB")
    one, two = costs[1].seconds - costs[0].seconds, costs[2].seconds - costs[0].seconds
    if two > one * RATIO + NOISE_SECONDS:
        wrong.append(f"CPU {one:.3f} s, at twice the size {two:.3f} s")
    small, large = costs[1].bytes - costs[0].bytes, costs[2].bytes - costs[0].bytes
    if large > small * RATIO + NOISE_BYTES and not SLOW:
        wrong.append(f"memory {small >> 20} MB, at twice the size {large >> 20} MB")
    if say:
        print(f"{name:30} {command:10.10} {given.size >> 10:6} KB  CPU {one:6.3f} {two:6.3f} {two / max(one, 0.005):5.2f}x"
              f"  memory {small >> 20:4} {large >> 20:4} MB {large / max(small, 1 << 20):5.2f}x  {'; '.join(wrong)}", flush=True)
    return wrong


def replays():
    """What is wrong with the cost of each input that a fuzzer found (tests/fuzz/seeds): as a script in `check` and in the server, as
    a configuration, as what a client sends."""
    wrong, count = [], 0
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz/seeds/*/*"))):
        with open(path, "rb") as f:
            data = f.read()
        kind = os.path.basename(os.path.dirname(path))
        if len(data) > 1 << 20:
            continue
        with tempfile.TemporaryDirectory() as folder:
            script = data[4:] if kind == "fuzz_analyzer" else b"" if kind in ("fuzz_toml", "fuzz_rpc") else data
            with open(os.path.join(folder, "input.py"), "wb") as f:
                f.write(script)
            if kind == "fuzz_toml":
                with open(os.path.join(folder, "rlx.toml"), "wb") as f:
                    f.write(data)
            costs = {"check": run(["check", "--no-cache", "input.py"], folder)}
            if script:
                costs["server"] = run(["lsp"], folder, list(session(script.decode(errors="replace").replace("\r", ""))))
            if kind == "fuzz_rpc":
                costs["server"] = run(["lsp"], folder, [(data, None)])
            for command, c in costs.items():
                count += 1
                if c.seconds > SECONDS * slowness() or c.bytes > BYTES or c.code not in (0, 1, 2):
                    wrong.append(f"{command} of {kind}/{os.path.basename(path)}: exit {c.code}, {c.seconds:.2f} s, {c.bytes >> 20} MB {c.errors}")
    if not count:
        wrong.append("there are no replays")
    return wrong, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--worst", action="store_true")
    parser.add_argument("--replays", action="store_true", help="the replays of tests/fuzz instead")
    parser.add_argument("--say", action="store_true")
    parser.add_argument("--all", action="store_true", help="what is done when nothing is said")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--command")
    options = parser.parse_args()
    if options.list:
        print("\n".join(shapes.SHAPES))
        return 0
    passed = failed = 0
    say = options.say or bool(options.names)
    if options.worst:
        chosen = WORST
    elif options.replays:
        wrong, count = replays()
        print("".join(f"FAILED {w}\n" for w in wrong) + f"{count - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
        return bool(wrong)
    else:
        chosen = [(n, c) for n in options.names or shapes.SHAPES for c in shapes.SHAPES[n].commands if c == (options.command or c)]
    for name, command in chosen:
        wrong = measure(name, command, say)
        if wrong:
            failed += 1
            if not say:
                print(f"FAILED {command} of {name}: {'; '.join(wrong)}", flush=True)
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
