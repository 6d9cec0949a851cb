#!/usr/bin/env python3
"""Rewriting, text in, text out: tests/rewrite/*.txt.

    tests/rewrite/run.py [--update] [FILE…]

A case is

    === OPTIONS: what it is about
    text
    --- (or "--- unchanged" and nothing behind it)
    what becomes of it

OPTIONS is a command of rlx with its options, `normalize --t-anf` or `check --fix`; `format` asks the language server to format the text, and `action TITLE` for the
code action whose title begins so, at the place between « and ». What an editor hides is
written `\\r` (a carriage return, at a line's end) and `\\t` (a tabulator). Beside the text it is checked that the answer stays as it is when
the command is run again, and that a text without errors has none afterwards. `--update` writes the answers anew; they are to be read then.
The closing line is `N passed, N failed, N skipped`. Standard library only.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def plain(text):
    return text.replace("\\t", "\t").replace("\\r\n", "\r\n")


def shown(text):
    return text.replace("\t", "\\t").replace("\r\n", "\\r\n")


def read(path):
    """The cases: [heading, options, before, after]."""
    out = []
    for part in re.split(r"^(?==== )", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, rest = part.split("\n", 1)
        before, sign, after = re.match(r"(.*?)^(---.*?)\n(.*)", rest, re.S | re.M).groups() if "\n---" in rest else (rest.rstrip("\n") + "\n", "", "")
        after = before if sign == "--- unchanged" else after.rstrip("\n") + "\n"
        out.append([heading, heading[4:].split(":")[0].split(), before, after])
    return out


def rewrite(options, names, cwd):
    if options[0] in ("format", "action"):
        server, why = Server(), ""
        for name in names:
            try:
                (cwd / name).write_bytes(server.rewrite(list(options), (cwd / name).read_bytes().decode()).encode())
            except ValueError as e:
                why += f"{e}\n"
        server.close()
        return why
    done = subprocess.run([RLX, *options, *([] if options[0] == "check" else ["--write"]), *names], cwd=cwd, capture_output=True, timeout=900, check=False)
    return "" if done.returncode in (0, 1) else f"exit {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"


class Server:
    """`rlx lsp`, for what only an editor asks."""

    def __init__(self):
        self.process = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {"textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}, "resolveSupport": {"properties": ["edit"]}, "dataSupport": True}}}})
        self.send("initialized", {})

    def send(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send(method, params, id=self.last)
        while True:
            size = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not size:
                raise SystemExit("rlx lsp ended")
            answer = json.loads(self.process.stdout.read(size))
            if answer.get("id") == self.last and "method" not in answer:
                return answer.get("result")

    def edits(self, options, text):
        """What formatting, or the code action that the options name, changes. The action's place is between « and »."""
        start, end = text.find("«"), text.find("»") - 1
        text = text.replace("«", "").replace("»", "")

        def position(at):
            before = text[:at]
            return {"line": before.count("\n"), "character": len(before) - (before.rfind("\n") + 1)}

        uri = f"file:///case{self.last}.py"
        self.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        document = {"textDocument": {"uri": uri}}
        if options == ["format"]:
            return text, self.ask("textDocument/formatting", {**document, "options": {"tabSize": 4, "insertSpaces": True}}) or []
        title = " ".join(options[1:])
        where = {"start": position(start), "end": position(end)}
        actions = self.ask("textDocument/codeAction", {**document, "range": where, "context": {"diagnostics": []}}) or []
        for action in actions:
            if action["title"].startswith(title):
                edit = action.get("edit") or self.ask("codeAction/resolve", action).get("edit") or {}
                changes = edit.get("changes") or {c["textDocument"]["uri"]: c["edits"] for c in edit.get("documentChanges") or []}
                return text, changes.get(uri, [])
        raise ValueError(f"no action `{title}`, but {[a['title'] for a in actions]}")

    def rewrite(self, options, text):
        text, edits = self.edits(options, text)
        lines = [0]
        for line in text.split("\n"):
            lines.append(lines[-1] + len(line) + 1)
        place = lambda p: lines[p["line"]] + p["character"]  # noqa: E731
        for e in sorted(edits, key=lambda e: (place(e["range"]["start"]), place(e["range"]["end"])), reverse=True):
            text = text[: place(e["range"]["start"])] + e["newText"] + text[place(e["range"]["end"]) :]
        return text

    def close(self):
        self.ask("shutdown", None)
        self.send("exit", None)
        self.process.wait(900)


def errors(names, cwd):
    done = subprocess.run([RLX, "check", "--format", "json", *names], cwd=cwd, capture_output=True, timeout=900, check=False)
    return {f["file"]: [d["message"] for d in f["diagnostics"] if d["severity"] == "error"] for f in json.loads(done.stdout)["files"]}


def run(path, update):
    cases, bad = read(path), []
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        names = [f"{k}.py" for k in range(len(cases))]
        groups = {}
        for name, (_, options, before, _) in zip(names, cases):
            (tmp / name).write_bytes(plain(before).replace("«", "").replace("»", "").encode())
            groups.setdefault(tuple(options), []).append(name)
        wrong = errors(names, tmp)
        for name, (_, _, before, _) in zip(names, cases):
            (tmp / name).write_bytes(plain(before).encode())
        why = [rewrite(o, n, tmp) for o, n in groups.items()]
        now = [shown((tmp / name).read_bytes().decode()) for name in names]
        still = errors(names, tmp)
        why += [rewrite(o, n, tmp) for o, n in groups.items() if o[0] != "action"]
        again = [shown((tmp / name).read_bytes().decode()) for name in names]
    bad += [w for w in why if w]
    for name, case, text, twice in zip(names, cases, now, again):
        heading, _, before, after = case
        if text != after and not update:
            diff = difflib.unified_diff(after.split("\n"), text.split("\n"), "expected", "now", lineterm="", n=1)
            bad.append(f"{heading}\n" + "\n".join(diff))
        elif twice != text:
            bad.append(f"{heading}\nchanges when it is done again:\n{twice}")
        elif still.get(name) and not wrong.get(name):
            bad.append(f"{heading}\nhas errors now: {still[name]}")
        case[3] = text
    if update:
        body = "\n".join(f"{h}\n{b}---" + (" unchanged\n" if a == b else f"\n{a}") for h, _, b, a in cases)
        head = re.split(r"^=== ", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[0]
        path.write_text(head + body, encoding="utf-8")
    for text in bad:
        print(f"FAILED {os.path.relpath(path, ROOT)}: {text}")
    return max(len(cases) - len(bad), 0), len(bad)


def main():
    update = "--update" in sys.argv[1:]
    named = [pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--update"]
    results = [run(path, update) for path in named or sorted(HERE.glob("*.txt"))]
    passed, failed = sum(r[0] for r in results), sum(r[1] for r in results)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return int(failed > 0 or not passed)


if __name__ == "__main__":
    sys.exit(main())
