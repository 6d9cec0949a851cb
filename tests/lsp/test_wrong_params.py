"""Messages of every method with params of every kind of wrong, and streams that end inside a message: each request is answered once,
nothing is an internal error, and the server ends as it should."""

import collections
import copy
import json
import os
import random
import re
import subprocess

import pytest

from session import HANG, RLX, ROOT

METHODS = re.findall(r'^RLX_METHOD\(\w+,\s*"([^"]+)",\s*(\w+)', (ROOT / "server/methods/methods.def").read_text(), re.M)
COMMANDS = re.findall(r'"(rlx\.[\w.]+)"', (ROOT / "server/methods/commands.def").read_text())
LIFE = ("initialize", "initialized", "shutdown", "exit")
BROKEN = """from tvm.script import relax as R, tir as T
@T.prim_func
def k(A: T.Buffer((16,), 'float32'), B: T.Buffer((16,), 'float32')):
    for i in range(16):
        with T.block('b'):
            v = T.axis.spatial(16, i)
            B[v] = A[v] + T.float32(1)
@R.function
def f(x: R.Tensor(('n', 4), 'float32')):
    \u00e9\U0001d4b3 = R.add(x, zz)
    y = R.reshape(x, (2, -1)
    return y
"""
DOCUMENTS = {
    "file:///rlx-nowhere/a.py": (ROOT / "examples/attention_dynamic.py").read_text(),
    "file:///rlx-nowhere/b.py": BROKEN,
    "file:///rlx-nowhere/c.py": "",
}
NOTEBOOK = "file:///rlx-nowhere/n.ipynb"
RANGE = {"start": {"line": 9, "character": 4}, "end": {"line": 10, "character": 12}}
GONE = object()
WRONG = [None, True, False, 0, -1, 1, 4294967295, 4294967296, 9007199254740993, -9223372036854775808, 1e308, -1e308, 0.5, "", "x", "file:///no",
         "\u0000", "\u00e9" * 3000, [], {}, [[]], [None], {"a": None}, [{}], GONE]


def cell(number):
    return {"kind": 2, "document": f"{NOTEBOOK}#c{number}"}


def cell_text(number, text):
    return {"uri": f"{NOTEBOOK}#c{number}", "languageId": "python", "version": 1, "text": text}


def everything(uri):
    """What any method asks for, all at once."""
    return {
        "textDocument": {"uri": uri, "version": 3, "languageId": "python", "text": DOCUMENTS[uri]}, "position": {"line": 9, "character": 14},
        "range": RANGE, "ranges": [RANGE, RANGE], "positions": [{"line": 4, "character": 6}, {"line": 9, "character": 5}],
        "context": {"diagnostics": [{"range": RANGE, "message": "m", "code": "RLX0201", "severity": 1, "source": "rlx", "data": {"a": 1}}],
                    "only": ["quickfix", "refactor", "source"], "triggerKind": 1, "triggerCharacter": ".", "includeDeclaration": True,
                    "isRetrigger": False, "activeSignatureHelp": {"activeParameter": 1}},
        "options": {"tabSize": 4, "insertSpaces": True}, "newName": "qq", "ch": "\n",
        "contentChanges": [{"range": RANGE, "rangeLength": 3, "text": "y"}, {"text": DOCUMENTS[uri]}],
        "item": {"name": "f", "kind": 12, "uri": uri, "range": RANGE, "selectionRange": RANGE, "data": {"x": 1}},
        "query": "f", "command": "rlx.x", "arguments": [uri, {"line": 9, "character": 14}, 3, "t"], "previousResultId": "1",
        "previousResultIds": [{"uri": uri, "value": "1"}], "identifier": "rlx", "files": [{"oldUri": uri, "newUri": uri + "x"}],
        "settings": {"rlx": {"dialect": "auto", "select": ["RLX01"]}}, "changes": [{"uri": uri, "type": 2}],
        "event": {"added": [{"uri": "file:///rlx-nowhere", "name": "x"}], "removed": []},
        "notebookDocument": {"uri": NOTEBOOK, "version": 1, "notebookType": "j", "cells": [cell(1)]},
        "cellTextDocuments": [cell_text(1, "x = 1\n")],
        "change": {"cells": {
            "structure": {"array": {"start": 0, "deleteCount": 0, "cells": [cell(2)]}, "didOpen": [cell_text(2, "y = x\n")], "didClose": []},
            "data": [cell(1)],
            "textContent": [{"document": {"uri": f"{NOTEBOOK}#c1", "version": 2}, "changes": [{"range": RANGE, "text": "z"}]}]}, "metadata": {}},
        "value": "off", "token": "t", "id": 77, "label": "add", "kind": 3, "data": {"uri": uri, "version": 3, "x": [1]}, "title": "t",
        "target": uri, "tooltip": "x", "paddingLeft": True, "insertText": "x", "textEdit": {"range": RANGE, "newText": "x"}}


def paths(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from paths(value[key], path + (key,))


def put(value, path, wrong):
    """A copy that has `wrong` there; `value` itself where an earlier one took the place away."""
    if not path:
        return None if wrong is GONE else wrong
    whole = inner = copy.deepcopy(value)
    try:
        for key in path[:-1]:
            inner = inner[key]
        if wrong is GONE:
            del inner[path[-1]]
        else:
            inner[path[-1]] = wrong
    except (KeyError, IndexError, TypeError):
        return value
    return whole


def frame(method, params=GONE, id=None):
    message = {"jsonrpc": "2.0", "method": method}
    if params is not GONE:
        message["params"] = params
    if id is not None:
        message["id"] = id
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def opened(uri):
    return frame("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": DOCUMENTS[uri]}})


START = frame("initialize", {"capabilities": {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}}, 1) + frame("initialized", {})
END = frame("shutdown", id=2) + frame("exit")


def session(data):
    """The server's exit code and its messages; it complains about nothing."""
    done = subprocess.run([RLX, "lsp"], input=data, capture_output=True, timeout=HANG, env=dict(os.environ, RLX_STRICT="1"))
    assert not done.stderr, done.stderr[:2000]
    out, found = done.stdout, []
    while out:
        head, _, out = out.partition(b"\r\n\r\n")
        size = int(head.split(b":")[1])
        assert len(out) >= size
        found.append(json.loads(out[:size].decode()))
        out = out[size:]
    return done.returncode, found


@pytest.mark.parametrize("seed", range(4))
def test_wrong_params_are_answered(seed):
    random_ = random.Random(seed)
    methods = [m for m in METHODS if m[0] not in LIFE]
    sent, asked = [START, *map(opened, DOCUMENTS)], {}
    for id in range(10, 260):
        (method, kind), uri = random_.choice(methods), random_.choice(list(DOCUMENTS))
        params = everything(uri)
        if method == "workspace/executeCommand":
            params["command"] = random_.choice(COMMANDS)
        places = list(paths(params))
        for _ in range(random_.choice([1, 1, 1, 2, 3])):
            params = put(params, random_.choice(places), random_.choice(WRONG))
        if random_.random() < 0.02:
            params = GONE
        if kind == "REQUEST":
            asked[id] = method
        sent.append(frame(method, params, id if kind == "REQUEST" else None))
        if method.endswith(("didClose", "didChange")):
            sent.append(opened(uri))
    code, found = session(b"".join(sent) + END)
    assert code == 0
    answers = collections.Counter(m["id"] for m in found if "method" not in m and isinstance(m.get("id"), int))
    assert {asked[id]: answers[id] for id in asked if answers[id] != 1} == {}
    assert [m for m in found if m.get("error", {}).get("code") == -32603] == []


def test_streams_may_end_inside_a_message():
    uri = "file:///rlx-nowhere/b.py"
    for number, (method, kind) in enumerate(METHODS):
        params = everything(uri)
        if method == "workspace/executeCommand":
            params["command"] = COMMANDS[number % len(COMMANDS)]
        message = frame(method, params, 9 if kind == "REQUEST" else None)
        head = message.index(b"\r\n\r\n")
        ends = (3, 18, head + 2, head + 4, head + 5, len(message) // 2, len(message) - 1)
        for end in (ends[number % len(ends)], ends[(number * 3 + 1) % len(ends)]):
            code, found = session(START + opened(uri) + message[:end])
            assert code in (0, 1), (method, end)
            assert not [m for m in found if m.get("id") == 9 and "method" not in m], (method, end)
