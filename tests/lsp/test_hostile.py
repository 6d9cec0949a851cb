"""Frames that no client should send: the server says what is wrong, and finds the next message."""

import json
import subprocess

import pytest

from session import HANG, RLX


def frame(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


INITIALIZE = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
SHUTDOWN = frame({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
EXIT = frame({"jsonrpc": "2.0", "method": "exit"})


def answers(data):
    """What the server sends for these bytes."""
    done = subprocess.run([RLX, "lsp"], input=data, capture_output=True, timeout=HANG)
    out, found = done.stdout, []
    while out:
        head, _, out = out.partition(b"\r\n\r\n")
        size = int(head.split(b":")[1])
        found.append(json.loads(out[:size].decode()))
        out = out[size:]
    return found


def by_id(found, id):
    return [m for m in found if m.get("id") == id and "method" not in m]


BODY = b'{"jsonrpc":"2.0","id":7,"method":"x"}'


@pytest.mark.parametrize(
    "bad",
    [
        b"X-Long: " + b"a" * 5000 + b"\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY),
        b"Content-Length: 999999999999\r\n\r\n" + BODY,
        b"Content-Length: 300000000\r\n\r\n" + BODY,
        b"Content-Length: many\r\n\r\n" + BODY,
        b"Content-Length: -5\r\n\r\n" + BODY,
        b"Kontent: 5\r\n\r\n" + BODY * 300,
        b"\r\n\r\n\r\n",
        b"y" * 10000 + b"\r\n\r\n",
    ],
    ids=["long line", "huge", "too large", "no number", "negative", "no length", "blank lines", "garbage"],
)
def test_the_next_message_is_found(bad):
    found = answers(INITIALIZE + bad + SHUTDOWN + EXIT)
    assert len(by_id(found, 1)) == 1
    errors = [m for m in found if "error" in m and m["id"] is None]
    assert len(errors) == 1 and errors[0]["error"]["code"] == -32700
    assert by_id(found, 2)[0]["result"] is None


def test_bytes_that_are_not_utf8_do_not_come_back():
    body = b'{"jsonrpc":"2.0","id":"\xff\xfe","method":"textDocument/hover","params":{}}'
    found = answers(INITIALIZE + b"Content-Length: %d\r\n\r\n%s" % (len(body), body) + SHUTDOWN + EXIT)
    assert [m["error"]["code"] for m in found if "error" in m] == [-32700]
    assert by_id(found, 2)


# As it stands in a message; behind the escape that a test puts there are a backslash and "u0000", which are no escape.
SCRIPT = (
    r'from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n'
    r'    # a%sb\\u0000\n    y = R.add(x, zz)\n    return y\n'
)


def raw(body):
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body.encode())


@pytest.mark.parametrize("escape", ["", "\\u0000", "\\u0000\\u0000", "\\ud800", "\\uDC00", "\\udc00\\ud83d", "\\ud83d\\ude00", "\\ud83d\\ud83d\\ude00"])
def test_a_document_with_what_no_text_holds_keeps_its_lines(escape):
    """One edit that brings it and one behind it: the finding is where the client has it."""
    document = {"uri": "file:///hostile.py"}
    open_ = '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"%s","languageId":"python","version":1,"text":"%s"}}}'
    edit = '{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%s","version":2},"contentChanges":[%s]}}'
    change = '{"range":{"start":{"line":3,"character":4},"end":{"line":3,"character":4}},"text":"# %s"}' % escape
    rename = '{"range":{"start":{"line":4,"character":17},"end":{"line":4,"character":19}},"text":"other"}'
    ask = {"jsonrpc": "2.0", "id": 5, "method": "textDocument/diagnostic", "params": {"textDocument": document}}
    messages = [open_ % (document["uri"], SCRIPT % escape), edit % (document["uri"], change), edit % (document["uri"], rename)]
    found = answers(INITIALIZE + b"".join(map(raw, messages)) + frame(ask) + SHUTDOWN + EXIT)
    assert not [m for m in found if "error" in m]
    items = by_id(found, 5)[0]["result"]["items"]
    assert [(i["code"], i["range"]["start"], i["range"]["end"]) for i in items] == [
        ("RLX0201", {"line": 4, "character": 17}, {"line": 4, "character": 22})
    ]


@pytest.mark.parametrize("id", ['"a\\u0000b"', '"\\ud800"', "1e400", "-1e400", "9007199254740993", "9007199254740991", "true", "null", "[]", "{}"])
def test_an_id_that_cannot_be_sent_back_is_no_request(id):
    found = answers(INITIALIZE + raw('{"jsonrpc":"2.0","id":%s,"method":"foo"}' % id) + SHUTDOWN + EXIT)
    assert [(m["id"], m["error"]["code"]) for m in found if "error" in m] == [(None, -32600)]


@pytest.mark.parametrize("behind", ["x", "{}", " ]", "\0"])
def test_a_message_ends_with_its_frame(behind):
    found = answers(INITIALIZE + raw('{"jsonrpc":"2.0","id":7,"method":"foo"} \r\n\t' + behind) + SHUTDOWN + EXIT)
    assert [(m["id"], m["error"]["code"]) for m in found if "error" in m] == [(None, -32700)]


def test_every_cancelled_request_of_many_is_cancelled():
    count = 1000
    data = INITIALIZE + frame({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    for i in range(count):
        data += frame({"jsonrpc": "2.0", "id": 100 + i, "method": "workspace/symbol", "params": {"query": "x"}})
    for i in range(count):
        data += frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 100 + i}})
    found = answers(data + SHUTDOWN + EXIT)
    for i in range(count):
        assert len(by_id(found, 100 + i)) == 1


def test_a_client_that_reads_nothing_does_not_keep_the_server():
    server = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    text = "from tvm.script import relax as R\n\n" + "".join(
        f"@R.function\ndef f{i}(x: R.Tensor((2,), \"float32\")):\n    return R.nope(x)\n\n" for i in range(3000)
    )
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": text}
    server.stdin.write(INITIALIZE + frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}))
    server.stdin.close()
    server.wait(HANG)
    server.stdout.close()
