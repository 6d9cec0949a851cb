"""Settings that the server asks for, links to the pages of diagnostics, hovers as plain text: raw messages, because they hang on what
a client says that it can do."""
import json
import pathlib
import re
import subprocess
import urllib.parse

import pytest

from session import RLX

URI = "file:///nowhere/model.py"
TEXT = """\
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    y = R.exp(R.sin(x))
    return R.ad(y, y)
"""


class Client:
    def __init__(self, capabilities, options=None, info=None):
        self.process = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last, self.asked = 0, []
        self.settings = [None]
        self.ask("initialize", {"capabilities": capabilities, "initializationOptions": options, "clientInfo": info})
        self.tell("initialized", {})
        self.tell("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "python", "version": 1, "text": TEXT}})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        size = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(size))
        if "method" in message and "id" in message:
            self.asked.append(message["method"])
            self.send({"id": message["id"], "result": self.settings if message["method"] == "workspace/configuration" else None})
        return message

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.last and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def hints(self):
        return self.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}})

    def published(self):
        """The diagnostics of the document."""
        while (message := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]


@pytest.fixture
def start():
    clients = []

    def make(*args):
        clients.append(Client(*args))
        return clients[-1]
    yield make
    for client in clients:
        client.process.kill()
        client.process.communicate()


def test_settings_are_asked_for(start):
    client = start({"workspace": {"configuration": True}}, {"inlayHints": True})
    client.hints()
    assert client.asked.count("workspace/configuration") == 1 and client.hints()  # null says nothing
    for value in (False, True):
        client.settings = [{"inlayHints": value, "argumentHints": "off"}]
        client.tell("workspace/didChangeConfiguration", {"settings": None})
        client.hints()
        client.hints()
        assert bool(client.hints()) == value
    client.settings = [{"inlayHints": False, "argumentHints": "off"}]
    for empty in ([{}], [None]):  # what was answered before is taken back
        for settings in (client.settings, empty):
            client.settings = settings
            client.tell("workspace/didChangeConfiguration", {"settings": None})
            client.hints()
            client.hints()
        assert client.hints(), empty
        client.settings = [{"inlayHints": False, "argumentHints": "off"}]
    client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": {"inlayHints": False, "argumentHints": "off"}}})  # pushed
    assert not client.hints()


def test_what_is_reported_follows_the_client(start):
    client = start({"textDocument": {"diagnostic": {}}})
    usual = {"RLX0203": 1, "RLX0501": 4}
    for settings, wanted in (({}, usual), ({"select": ["RLX05"]}, {"RLX0501": 4}), ({"ignore": ["attribute-unknown"]}, {"RLX0501": 4}),
                             ({"severity": {"RLX02": "hint"}}, {"RLX0203": 4, "RLX0501": 4}), ({"normalForm": "anf"}, {"RLX0203": 1, "RLX0501": 1}),
                             ({"select": ["RLX9"]}, {}), ({}, usual)):
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": settings}})
        found = client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
        assert {d["code"]: d["severity"] for d in found} == wanted, settings


def test_a_client_that_cannot_be_asked_is_not(start):
    client = start({})
    client.hints()
    assert "workspace/configuration" not in client.asked


def test_the_link_of_a_diagnostic_leads_to_its_heading(start):
    capabilities = {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}
    for diagnostic in start(capabilities).published():
        href = urllib.parse.urlparse(diagnostic["codeDescription"]["href"])
        assert href.scheme == "file"
        page = pathlib.Path(urllib.parse.unquote(href.path)).read_text()
        headings = [re.sub(r"[^a-z0-9-]", "", line[3:].lower().replace(" ", "-")) for line in page.split("\n") if line.startswith("## ")]
        assert href.fragment in headings and diagnostic["code"].lower() in href.fragment
    own = start(capabilities, {"explainLinks": True}).published()
    assert {d["codeDescription"]["href"] for d in own} == {"rlx:explain/" + d["code"] for d in own} != set()


def test_hovers_for_a_client_without_markdown(start):
    at = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 4}}
    plain = start({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}).ask("textDocument/hover", at)["contents"]
    assert plain["kind"] == "plaintext" and plain["value"].startswith('y: R.Tensor((n, 4), dtype="float32")\n')
    assert not set("`*[") & set(plain["value"])
    marked = start({"textDocument": {"hover": {"contentFormat": ["markdown"]}}}).ask("textDocument/hover", at)["contents"]
    assert marked["kind"] == "markdown" and "```python" in marked["value"]


def test_links_are_left_out_where_a_client_shows_their_addresses(start):
    at = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 4}}
    capabilities = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
    for name, version, has_links in (("Neovim", "0.7.2", False), ("Neovim", "0.9.5+v", False), ("Neovim", "0.10.0", True), ("Neovim", "1.2.0", True),
                                     ("Neovim", None, True), ("helix", "0.7.2", True), (None, None, True)):
        info = {key: value for key, value in (("name", name), ("version", version)) if value}
        text = start(capabilities, None, info or None).ask("textDocument/hover", at)["contents"]["value"]
        assert ("[line 6](file:" in text, " (line 6)" in text) == (has_links, not has_links), (name, version)


def test_plain_hovers_keep_what_is_code(start, tmp_path):
    (tmp_path / "sizes.py").write_text("ROWS = 2 ** 5\n")
    (tmp_path / "model.py").write_text("")
    client = start({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
    uri = (tmp_path / "model.py").as_uri()
    client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": "from sizes import ROWS\nprint(ROWS)\n"}})
    plain = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 7}})["contents"]["value"]
    assert plain == f"ROWS = 2 ** 5\nline 1 of {tmp_path}/sizes.py"


def test_hovers_of_constants_that_are_handed_on(start, tmp_path):
    """The statement that gives the value, not the imports in between."""
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes" / "__init__.py").write_text("from .widths import WIDTH as W, COLUMNS\nfrom .more import *\n")
    (tmp_path / "shapes" / "widths.py").write_text("\nWIDTH = COLUMNS = 4\n")
    (tmp_path / "shapes" / "more.py").write_text("from .last import DEPTH\n")
    (tmp_path / "shapes" / "last.py").write_text("\n\nDEPTH = 3 * 2\n")
    (tmp_path / "model.py").write_text("")
    client = start({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
    uri = (tmp_path / "model.py").as_uri()
    text = "from shapes import W, DEPTH\nimport shapes as s\nprint(W, DEPTH, s.COLUMNS)\n"
    client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
    for column, want in ((6, "WIDTH = COLUMNS = 4\nline 2 of shapes/widths.py"), (9, "DEPTH = 3 * 2\nline 3 of shapes/last.py"), (18, "WIDTH = COLUMNS = 4\nline 2 of shapes/widths.py")):
        answer = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": column}})
        assert answer["contents"]["value"].replace(f"{tmp_path}/", "") == want


def test_places_of_label_parts_come_when_they_are_resolved(start):
    client = start({"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip", "label.location"]}}}})
    hint = [h for h in client.hints() if h["position"]["line"] == 5][0]
    assert [part["value"] for part in hint["label"]] == [": (", "n", ", 4) f32"] and not any("location" in part for part in hint["label"])
    resolved = client.ask("inlayHint/resolve", hint)
    place = resolved["label"][1].pop("location")
    assert resolved["label"] == hint["label"]
    assert place == {"uri": URI, "range": {"start": {"line": 4, "character": 23}, "end": {"line": 4, "character": 24}}}


def test_hints_in_short_form(start):
    client = start({"workspace": {"configuration": True}})
    labels = {}
    for form in ("full", "auto", "short"):
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": {"hintForm": form}}})
        hint = [h for h in client.hints() if h["position"]["line"] == 5][0]
        labels[form] = "".join(part["value"] for part in hint["label"])
        assert hint["textEdits"][0]["newText"] == ': R.Tensor((n, 4), dtype="float32")'
    assert labels == {"full": ': R.Tensor((n, 4), dtype="float32")', "auto": ": (n, 4) f32", "short": ": (n, 4) f32"}


def test_what_uses_require_has_the_form_of_hints(start):
    client = start({})
    client.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": """\
from tvm.script import relax as R


@R.function
def main(a: R.Tensor((300,)), b: R.Tensor, c: R.Tensor((2, 3), "int8"), d: R.Tensor((300,), "float16")):
    e = R.add(a, d)
    return R.subtract(b, c)
"""}]})
    whole = ['must be R.Tensor((300,), dtype="float16")', 'may be R.Tensor((2, 3), dtype="int8")']
    wanted = {"full": [(text, None) for text in whole], "auto": list(zip(["must be (300,) f16", "may be (2, 3) i8"], whole))}
    for form, expected in wanted.items():
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": {"hintForm": form}}})
        found = [("".join(part["value"] for part in hint["label"]) if isinstance(hint["label"], list) else hint["label"], hint.get("tooltip"))
                 for hint in client.hints() if hint["position"]["line"] == 4]
        assert [one for one in found if one[0].startswith("m")] == expected, (form, found)


def test_settings_that_did_not_change_change_nothing(start):
    said = {"inlayHints": True, "hintForm": "short", "severity": {"RLX02": "hint"}, "path": "", "trace": {"server": "off"}}
    client = start({"workspace": {"configuration": True, "inlayHint": {"refreshSupport": True}, "diagnostics": {"refreshSupport": True}},
                    "textDocument": {"diagnostic": {}}}, {**said, "explainLinks": True})
    client.settings = [said]
    for _ in range(3):
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": said}})
        client.hints()
        client.hints()
    assert "workspace/configuration" in client.asked and not [name for name in client.asked if name.endswith("/refresh")]
    client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": {**said, "severity": {"RLX02": "error"}}}})
    client.hints()
    client.hints()
    assert sorted(name for name in client.asked if name.endswith("/refresh")) == ["workspace/diagnostic/refresh", "workspace/inlayHint/refresh"]


def test_settings_that_are_changed_in_a_session_hold_at_once(start):
    client = start({"textDocument": {"diagnostic": {}}})
    text = """\
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "int8"), y: R.Tensor(ndim=2)) -> R.Tensor((8,), "int8"):
    z = R.add(x, x)
    w = R.add(y, y)
    return z
"""
    client.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]})

    def seen(settings):
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": settings}})
        found = client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
        labels = [hint["label"] for hint in client.hints() if hint["position"] == {"line": 6, "character": 5}]
        return ({d["code"]: d["severity"] for d in found}.get("RLX0353"),
                "".join(label if isinstance(label, str) else "".join(part["value"] for part in label) for label in labels))

    full, short = ": R.Tensor(ndim=2)", ": (?, ?) ?"
    for settings, wanted in (({}, (1, full)), ({"returns": "warning"}, (2, full)), ({"hintForm": "short"}, (1, short)),
                             ({"hintForm": "short", "returns": "warning"}, (2, short)), ({"hintForm": "full"}, (1, full)), ({}, (1, full))):
        assert seen(settings) == wanted, settings


def test_the_short_form_says_what_is_not_known(start):
    client = start({})
    client.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": """\
from tvm.script import relax as R


@R.function
def main(a: R.Tensor("int8"), b: R.Tensor(ndim=1), c: R.Tensor((4, "n")), d: R.Tensor, e: R.Tensor("float32", ndim=2), f: R.Tensor((), "bool")):
    v = R.add(a, a), R.add(b, b), R.add(c, c), R.add(d, d), R.add(e, e), R.logical_not(f)
    a1, b1, c1, d1, e1, f1 = v
    return v
"""}]})

    def labels(form):
        client.tell("workspace/didChangeConfiguration", {"settings": {"rlx": {"hintForm": form}}})
        return ["".join(part["value"] for part in hint["label"]) if isinstance(hint["label"], list) else hint["label"]
                for hint in client.hints() if hint["position"]["line"] == 6]

    assert labels("short") == [": (...) i8", ": (?,) ?", ": (4, n) ?", ": R.Tensor", ": (?, ?) f32", ": () bool"]
    assert labels("auto") == [': R.Tensor(dtype="int8")', ": R.Tensor(ndim=1)", ": R.Tensor((4, n))", ": R.Tensor", ": (?, ?) f32", ": () bool"]
    assert labels("full") == [': R.Tensor(dtype="int8")', ": R.Tensor(ndim=1)", ": R.Tensor((4, n))", ": R.Tensor",
                              ': R.Tensor(dtype="float32", ndim=2)', ': R.Tensor((), dtype="bool")']
