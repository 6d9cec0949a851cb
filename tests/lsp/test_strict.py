"""What looks at the server's messages sees what is wrong with one."""
import pytest

from strict import Messages

HOVER = {"jsonrpc": "2.0", "id": 1, "result": {"contents": {"kind": "markdown", "value": "x"}, "range": {
    "start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}}}}
MESSAGE = {"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 3, "message": "m"}}


def wrong(message, asked="textDocument/hover"):
    messages = Messages()
    messages.sent(1, asked)
    messages.received(message)
    return messages.faults


def changed(message, path, value):
    """The message with another value there; None: without it."""
    copy = {**message}
    copy[path[0]] = changed(copy[path[0]], path[1:], value) if path[1:] else value
    return {key: one for key, one in copy.items() if one is not None}


def test_right_ones():
    assert not wrong(HOVER) and not wrong(MESSAGE) and not wrong({"jsonrpc": "2.0", "id": 1, "result": None})
    assert not wrong({"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "cancelled"}})


@pytest.mark.parametrize("message", [
    changed(HOVER, ["result", "range", "start", "line"], "1"), changed(HOVER, ["result", "range", "end"], None), changed(HOVER, ["result", "more"], 1),
    changed(HOVER, ["result", "contents", "kind"], "html"), changed(HOVER, ["result", "range", "start", "character"], -1), changed(HOVER, ["id"], 2),
    changed(HOVER, ["error"], {"code": 1, "message": "m"}), changed(HOVER, ["result"], None), changed(HOVER, ["jsonrpc"], "1.0"),
    changed(MESSAGE, ["params", "type"], 9), changed(MESSAGE, ["params", "message"], 5), changed(MESSAGE, ["method"], "window/nothing"),
], ids=str)
def test_wrong_ones(message):
    assert wrong(message)


def test_one_answer_each():
    messages = Messages()
    messages.sent(1, "textDocument/hover")
    messages.received(HOVER)
    assert not messages.faults
    messages.received(HOVER)
    assert messages.faults
