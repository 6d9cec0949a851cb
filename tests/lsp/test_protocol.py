"""Malformed JSON-RPC, the life cycle, exit codes, cancellation: frames written by hand."""
import json
import re
import subprocess

import pytest

from session import HANG, RLX, ROOT


def frame(message) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def talk(*parts: bytes, options=()):
    done = subprocess.run([RLX, "lsp", *options], input=b"".join(parts), capture_output=True, timeout=HANG, check=False)
    out, answers = done.stdout, []
    while out:
        head, _, rest = out.partition(b"\r\n\r\n")
        size = int(head.split(b":")[1])
        answers.append(json.loads(rest[:size]))
        out = rest[size:]
    return done.returncode, answers


def request(number, method, params=None):
    return frame({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})


def notify(method, params=None):
    return frame({"jsonrpc": "2.0", "method": method, "params": params or {}})


INIT = request(1, "initialize", {"capabilities": {}}) + notify("initialized")
BYE = request(99, "shutdown") + notify("exit")


def error_codes(answers):
    return [a["error"]["code"] for a in answers if "error" in a]


def test_exit_codes():
    assert talk(INIT, BYE)[0] == 0
    assert talk(INIT, notify("exit"))[0] == 1
    assert talk(INIT)[0] == 1  # the client is gone
    assert talk()[0] == 1


def test_request_before_initialize():
    code, answers = talk(request(5, "textDocument/hover"), INIT, BYE)
    assert code == 0 and error_codes(answers) == [-32002]


@pytest.mark.parametrize("body, expected", [
    (b"", -32700), (b"{", -32700), (b"nonsense", -32700), (b"\xff\xfe\x00", -32700), (b"[]", -32600), (b"1", -32600), (b'"x"', -32600),
    (b'{"jsonrpc": "2.0", "id": 7}', -32600), (b'{"jsonrpc": "2.0", "id": 7, "method": 5}', -32600),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}', -32601), (b'{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover"}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": 5}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///none"}, "position": {}}}', -32602),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {}}', -32600),
])
def test_malformed_messages_get_their_code(body, expected):
    code, answers = talk(INIT, frame(body), request(2, "workspace/symbol", {"query": ""}), BYE)
    assert error_codes(answers) == [expected]
    assert any(a.get("id") == 2 and "result" in a for a in answers)  # and the server goes on
    assert code == 0


@pytest.mark.parametrize("header", [b"Content-Length: x\r\n\r\n", b"Content-Type: y\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"X" * 9000 + b"\r\n\r\n", b"\r\n"])
def test_bad_headers(header):
    code, answers = talk(INIT, header, BYE)
    assert code == 0 and error_codes(answers) == [-32700]


def test_string_ids_and_unknown_notifications():
    message = frame({"jsonrpc": "2.0", "id": "a\"b", "method": "workspace/symbol", "params": {"query": ""}})
    code, answers = talk(INIT, notify("$/whatever"), notify("no/such"), message, BYE)
    assert code == 0 and any(a.get("id") == 'a"b' and "result" in a for a in answers) and not error_codes(answers)


def test_after_shutdown_only_exit():
    code, answers = talk(INIT, request(3, "shutdown"), request(4, "workspace/symbol", {"query": ""}), notify("exit"))
    assert code == 0 and error_codes(answers) == [-32600]


def test_cancelled_request():
    # While the long text is analysed, the request behind it and its cancellation arrive.
    text = "".join(f"@R.function\ndef f{i}(x: R.Tensor((2,), 'float32')):\n    return R.add(x, x)\n\n" for i in range(2000))
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": text}
    where = {"textDocument": {"uri": "file:///a.py"}}
    code, answers = talk(INIT, notify("textDocument/didOpen", {"textDocument": document}), request(7, "textDocument/semanticTokens/full", where),
                         request(8, "textDocument/documentSymbol", where), notify("$/cancelRequest", {"id": 8}), BYE)
    assert code == 0 and error_codes(answers) == [-32800]


def test_hostile_text_and_positions():
    text = "class M:\n" + "(" * 5000 + "\x00\ud7ff" + "\n@R.function\ndef f(x: R.Tensor((" + "n+" * 5000
    document = {"uri": "file:///h.py", "languageId": "python", "version": 1, "text": text}
    parts = [INIT, notify("textDocument/didOpen", {"textDocument": document})]
    for n, place in enumerate([(0, 0), (1, 10**9), (10**9, 5), (2, 3), (3, 40)]):
        where = {"textDocument": {"uri": "file:///h.py"}, "position": {"line": place[0], "character": place[1]}}
        for k, method in enumerate(["hover", "definition", "completion", "references", "signatureHelp", "documentHighlight"]):
            parts.append(request(100 + 10 * n + k, "textDocument/" + method, where))
    change = {"textDocument": {"uri": "file:///h.py", "version": 2},
              "contentChanges": [{"range": {"start": {"line": 9, "character": 9}, "end": {"line": 1, "character": 1}}, "text": "\"\"\""}, {"text": 5}, {}, 7]}
    code, answers = talk(*parts, notify("textDocument/didChange", change), notify("textDocument/didChange", {}), BYE)
    assert code == 0 and len([a for a in answers if a.get("id", 0) >= 100]) == 30


def body(*messages):
    return frame(json.dumps(messages).encode())


def query(number):
    return {"jsonrpc": "2.0", "id": number, "method": "workspace/symbol", "params": {"query": ""}}


def test_batches():
    code, answers = talk(INIT, body(query(10), {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "off"}}, 5, query(11)), BYE)
    batches = [a for a in answers if isinstance(a, list)]
    assert code == 0 and len(batches) == 1
    assert [(a["id"], "result" in a) for a in batches[0]] == [(10, True), (None, False), (11, True)]
    assert batches[0][1]["error"]["code"] == -32600


def test_a_batch_with_requests_that_run_beside(tmp_path):
    """One array, when the last of them is answered; one is cancelled in the batch itself, and parts of answers are no answers."""
    (tmp_path / "a.py").write_text("from tvm.script import relax as R\n\n@R.function\ndef single(x: R.Object):\n    return x\n")
    init = request(1, "initialize", {"capabilities": {}, "rootUri": tmp_path.as_uri()}) + notify("initialized")
    asked = [query(10), {**query(11), "params": {"query": "si", "partialResultToken": "p"}}, query(12),
             {"jsonrpc": "2.0", "id": 13, "method": "workspace/diagnostic", "params": {"previousResultIds": []}},
             {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 12}}]
    server = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdin.write(init + body(*asked))
    server.stdin.flush()
    messages = []
    while not any(isinstance(m, list) for m in messages):
        size = int(server.stdout.readline().split(b":")[1])
        server.stdout.readline()
        messages.append(json.loads(server.stdout.read(size)))
    server.communicate(BYE, timeout=HANG)
    answers = {a["id"]: a for a in messages[-1]}
    parts = [m["params"]["value"] for m in messages if isinstance(m, dict) and m.get("method") == "$/progress" and m["params"]["token"] == "p"]
    assert set(answers) == {10, 11, 12, 13} and answers[12]["error"]["code"] == -32800 and server.returncode == 0
    assert [s["name"] for s in answers[10]["result"]] == ["single"] and answers[11]["result"] == [] and parts == [answers[10]["result"]]
    assert len(answers[13]["result"]["items"]) == 1 and not any(m.get("id") in answers for m in messages[:-1])


def test_batch_of_notifications_has_no_answer():
    note = {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "off"}}
    code, answers = talk(INIT, body(note, note), BYE)
    assert code == 0 and len(answers) == 2


def test_exit_in_a_batch():
    code, answers = talk(INIT, request(3, "shutdown"), body({"jsonrpc": "2.0", "method": "exit"}))
    assert code == 0 and len(answers) == 2


@pytest.mark.parametrize("number", [True, {}, [1]])
def test_ids_that_are_none(number):
    code, answers = talk(INIT, frame({"jsonrpc": "2.0", "id": number, "method": "workspace/symbol", "params": {"query": ""}}), BYE)
    assert code == 0 and error_codes(answers) == [-32600]


def test_second_initialize_and_requests_after_shutdown():
    code, answers = talk(INIT, request(2, "initialize", {"capabilities": {}}), request(3, "shutdown"), request(4, "initialize", {"capabilities": {}}),
                         request(5, "shutdown"), notify("textDocument/didOpen"), notify("exit"))
    assert code == 0 and error_codes(answers) == [-32600] * 3


def test_a_notification_with_an_id_is_no_method_and_does_nothing():
    """Nobody would learn that it was not carried out if the answer were a result."""
    rows = re.findall(r'^RLX_METHOD\(\w+,\s*"([^"]+)",\s*NOTIFICATION', (ROOT / "server/methods/methods.def").read_text(), re.M)
    assert len(rows) > 10
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "x = 1\n"}
    asked = [request(10 + i, method, {"textDocument": document}) for i, method in enumerate(rows)]
    code, answers = talk(INIT, *asked, request(9, "textDocument/hover", {"textDocument": document, "position": {"line": 0, "character": 0}}), BYE)
    codes = {a["id"]: a["error"]["code"] for a in answers if "error" in a}
    assert code == 0 and codes == {9: -32602, **{10 + i: -32601 for i in range(len(rows))}}
    assert "`textDocument/didOpen` is a notification: a message without an id" in [a["error"]["message"] for a in answers if "error" in a]


def test_partial_results():
    text = "".join(f"@R.function\ndef f{i}(x: R.Tensor((2,), 'float32')):\n    return R.add(x, x)\n\n" for i in range(700))
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "from tvm.script import relax as R\n" + text}
    where = {"textDocument": {"uri": "file:///a.py"}}
    code, answers = talk(INIT, notify("textDocument/didOpen", {"textDocument": document}), request(7, "textDocument/documentSymbol", where),
                         request(8, "textDocument/documentSymbol", where | {"partialResultToken": "p"}), BYE)
    whole, = (a["result"] for a in answers if a.get("id") == 7)
    last, = (a["result"] for a in answers if a.get("id") == 8)
    parts = [a["params"]["value"] for a in answers if a.get("method") == "$/progress" and a["params"]["token"] == "p"]
    assert code == 0 and last == [] and len(parts) > 1
    assert [item for part in parts for item in part] == whole


def test_nothing_is_partial_without_items():
    code, answers = talk(INIT, request(7, "workspace/symbol", {"query": "", "partialResultToken": 5}), BYE)
    assert code == 0 and not [a for a in answers if a.get("method") == "$/progress"]


NOWHERE = {"textDocument": {"uri": "file:///none"}, "position": {"line": 0, "character": 0}}


def test_log_file(tmp_path):
    path = tmp_path / "log"
    assert talk(INIT, request(7, "textDocument/hover", NOWHERE), BYE, options=[f"--log={path}"])[0] == 0
    lines = path.read_text().splitlines()
    assert [line.split(" ")[1] for line in lines] == ["info:", "warning:"] and "textDocument/hover (7): error -32602" in lines[1]
    talk(INIT, BYE, options=[f"--log={path}", "--log-level=debug"])
    more = path.read_text().splitlines()[len(lines):]  # it is appended to
    assert any("debug: initialize (1): " in line and " ms, " in line for line in more) and any("debug: initialized: " in line for line in more)
    talk(INIT, request(7, "textDocument/hover", NOWHERE), BYE, options=[f"--log={tmp_path / 'quiet'}", "--log-level=error"])
    assert (tmp_path / "quiet").read_text() == ""


def test_log_that_cannot_be_written(tmp_path):
    code, answers = talk(INIT, BYE, options=[f"--log={tmp_path}/no/where"])
    assert code == 0 and len(answers) == 2


@pytest.mark.parametrize("level, types", [("off", []), ("error", []), ("warning", [2]), ("info", [3, 2])])
def test_log_messages(level, types):
    _, answers = talk(INIT, request(7, "textDocument/hover", NOWHERE), BYE, options=[f"--client-log={level}"])
    assert [a["params"]["type"] for a in answers if a.get("method") == "window/logMessage"] == types


def traces(answers):
    return [a["params"] for a in answers if a.get("method") == "$/logTrace"]


def test_trace():
    def ask(number):
        return request(number, "workspace/symbol", {"query": ""})
    _, answers = talk(INIT, ask(2), notify("$/setTrace", {"value": "messages"}), ask(3), notify("$/setTrace", {"value": "verbose"}), ask(4),
                      notify("$/setTrace", {"value": "loud"}), ask(5), notify("$/setTrace", {"value": "off"}), ask(6), BYE)
    got = traces(answers)
    assert [trace["message"] for trace in got if "symbol" in trace["message"]] == [f"workspace/symbol ({number})" for number in (3, 4, 5)]
    assert [("verbose" in trace) for trace in got if "symbol" in trace["message"]] == [False, True, True]
    _, answers = talk(request(1, "initialize", {"capabilities": {}, "trace": "verbose"}), ask(2), BYE)
    assert [trace["message"] for trace in traces(answers)][-2:] == ["workspace/symbol (2)", "shutdown (99)"]


def test_many_diagnostics_that_stay_are_not_sent_again():
    def open_(lines):
        text = "from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((2,), 'float32')):\n    y = x\n" + "".join(
            f"    e{k} = R.add(x, nope{k})\n" for k in range(lines)) + "    return y\n"
        return notify("textDocument/didOpen", {"textDocument": {"uri": "file:///e.py", "languageId": "python", "version": 1, "text": text}})

    def edit(version, line, text):
        place = {"line": line, "character": 0}
        return notify("textDocument/didChange", {"textDocument": {"uri": "file:///e.py", "version": version}, "contentChanges": [
            {"range": {"start": place, "end": place}, "text": text}]}) + request(100 + version, "workspace/symbol", {"query": ""})

    def published(lines, sent):
        """How many diagnostics each publication had. `sent`: whether those of the second and third edit are sent: then they are
        waited for; else the fourth edit follows at once, whose diagnostics are waited for anyway."""
        server = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        counts = []

        def read(until):
            while head := server.stdout.readline():
                server.stdout.readline()
                message = json.loads(server.stdout.read(int(head.split(b":")[1])))
                if message.get("method") == "textDocument/publishDiagnostics":
                    counts.append(len(message["params"]["diagnostics"]))
                if until and until == (message.get("method") or message.get("id")):
                    return
        published = "textDocument/publishDiagnostics"
        end = 4 + lines
        for step, awaited in ((INIT, 1), (open_(lines), published), (edit(2, end, "#"), published if sent else 102),
                              (edit(3, end, "#"), published if sent else 103), (edit(4, 3, "#\n"), published), (BYE, None)):
            server.stdin.write(step)
            server.stdin.flush()
            read(awaited)
        assert server.wait(HANG) == 0
        return counts

    few, many = published(3, True), published(1000, False)
    assert len(few) == 4 and min(few) >= 3
    assert len(many) == 2 and min(many) >= 1000  # opened; another line above
