"""Inlay hints beyond StructInfo: names of arguments, tooltips, edits."""
import urllib.parse
from pathlib import Path

from lsprotocol import types as t

from session import applied, ask, diagnostics, label_of, open_text, place

SCRIPT = '''\
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3, 2), "float32")):
        gv = R.matmul(x, y)
        return gv

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
        cls = Module
        lv = R.permute_dims(w, [1, 0])
        lv1 = R.reshape(R.permute_dims(w, axes=[1, 0]), (3, 2))
        gv = cls.helper(x, lv)
        return gv
'''


async def hints(client):
    return await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(40, 0)))))


def settings(client, **values):
    for refresh in ("workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        if refresh not in client.protocol.fm.features:
            client.feature(refresh)(lambda *_: None)
    client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"rlx": values}))


async def names(client, text):
    found = [h for h in await hints(client) if h.kind == t.InlayHintKind.Parameter]
    return [(label_of(h), text.split("\n")[h.position.line][h.position.character:].split(")")[0].split(",")[0]) for h in found]


async def test_argument_names(client):
    open_text(client, SCRIPT)
    assert await names(client, SCRIPT) == [("axes:", "[1"), ("shape:", "(3")]
    settings(client, argumentHints="all")
    everything = await names(client, SCRIPT)
    assert ("x1:", "x") in everything and ("x2:", "y") in everything
    assert ("y:", "lv") in everything and ("x:", "x") not in everything  # spelled like its parameter
    settings(client, argumentHints="off")
    assert await names(client, SCRIPT) == []


async def test_hints_can_be_inserted(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    found = await hints(client)
    edits = [edit for h in found for edit in h.text_edits or []]
    text = applied(SCRIPT, edits)
    assert 'lv: R.Tensor((3, 2), dtype="float32") = R.permute_dims(w, axes=[1, 0])' in text
    assert "R.reshape(R.permute_dims(w, axes=[1, 0]), shape=(3, 2))" in text
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri), [t.TextDocumentContentChangeWholeDocument(text)]))
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert errors == []
    assert [h for h in await hints(client) if h.kind in (t.InlayHintKind.Type, t.InlayHintKind.Parameter)] == []


async def test_resolve(client):
    assert client.init_result.capabilities.inlay_hint_provider.resolve_provider
    open_text(client, SCRIPT)
    hint = next(h for h in await hints(client) if h.position.line == place(SCRIPT, "lv =").line and h.kind == t.InlayHintKind.Type)
    resolved = await ask(client.inlay_hint_resolve_async(hint))
    assert resolved.label == hint.label and resolved.position == hint.position
    assert "R.permute_dims" in resolved.tooltip.value
    gone = t.InlayHint(t.Position(0, 3), ": R.Object", data=hint.data)
    assert (await ask(client.inlay_hint_resolve_async(gone))).tooltip is None
    nowhere = t.InlayHint(t.Position(0, 3), ": R.Object", data={"uri": "file:///nowhere"})
    assert (await ask(client.inlay_hint_resolve_async(nowhere))).tooltip is None


async def test_what_does_not_fit_is_no_edit(client):
    """A tuple that doubles seven times is written whole, one that doubles thirty times is not written."""
    text = 'from tvm.script import relax as R\n@R.function\ndef main(x: R.Tensor((3,), "int8")):\n    t0 = (x, x)\n' + "".join(
        f"    t{i} = (t{i - 1}, t{i - 1})\n" for i in range(1, 31)) + "    return x\n"
    open_text(client, text)
    by_line = {h.position.line - 3: h for h in await hints(client)}
    assert by_line[7].text_edits[0].new_text.count("R.Tensor") == 256
    assert not by_line[30].text_edits and len(by_line[30].tooltip) < 20000


async def test_many_long_hints(client):
    """Nine hundred of them, tuples in tuples (which are known 1,000 deep): the first have all, the last leave it to inlayHint/resolve."""
    text = 'from tvm.script import relax as R\n@R.function\ndef main(x: R.Tensor((3,), "int8")):\n    t0 = (x, x)\n' + "".join(
        f"    t{i} = (t{i - 1}, t{i - 1})\n" for i in range(1, 900)) + "    return x\n"
    open_text(client, text)
    found = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(1010, 0)))))
    assert len(found) == 900 and found[20].tooltip and not found[899].tooltip
    assert sum(len(h.tooltip or "") for h in found) < 5 << 20
    resolved = await ask(client.inlay_hint_resolve_async(found[899]))
    assert "R.Tuple" in resolved.tooltip.value


SYMBOLS = '''\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def callee(a: R.Tensor(("k",), "float32"), b: R.Tensor(("k",), "float32")):
        return R.add(a, b)

    @R.function
    def main(x: R.Tensor(("n", "dtype"), "float32"), s: R.Shape(ndim=2), v: R.Tensor(ndim=1)):
        n = T.int64()
        dtype = T.int64()
        y = R.permute_dims(x)
        z = R.zeros(s, "float32")
        m = T.int64()
        w = R.match_cast(v, R.Tensor((m,), "float32"))
        e = R.nn.relu(w)
        t = R.concat((e, w))
        flat = R.reshape(x, (n * dtype,))
        c = Module.callee(flat, t)
        return c
'''


async def linked(client, text):
    """What the parts of the labels lead to: (line of the hint, part, the text there with its line)."""
    found, lines = [], text.split("\n")
    for hint in await hints(client):
        if isinstance(hint.label, str):
            continue
        given = [part.location for part in hint.label]
        resolved = await ask(client.inlay_hint_resolve_async(hint))
        assert label_of(resolved) == label_of(hint)
        support = client.capabilities.text_document.inlay_hint and client.capabilities.text_document.inlay_hint.resolve_support
        lazy = bool(support and "label.location" in support.properties)
        if hint.kind != t.InlayHintKind.Parameter:
            assert any(given) != lazy, hint
        for part in resolved.label:
            if part.location:
                assert part.location.uri == client.uri
                at = part.location.range
                found.append((hint.position.line, part.value, f"{at.start.line}:" + lines[at.start.line][at.start.character:at.end.character]))
    return found


async def test_names_in_labels_lead_to_where_they_are_bound(client):
    open_text(client, SYMBOLS)
    line = {name: place(SYMBOLS, f"        {name} = ").line for name in ("y", "z", "m", "w", "e", "t", "flat", "c")}
    found = await linked(client, SYMBOLS)
    assert [one for one in found if one[0] == line["y"]] == [(line["y"], "dtype", "10:dtype"), (line["y"], "n", "10:n")]
    assert [one[1:] for one in found if one[0] == line["z"]] == [("s", "10:s")]
    assert [one[1:] for one in found if one[0] == line["e"]] == [("m", f"{line['m']}:m")]
    assert [one[1:] for one in found if one[0] == line["flat"]] == [("n", "10:n"), ("dtype", "10:dtype")]


async def test_the_check_at_run_time_names_its_variables(client):
    open_text(client, SYMBOLS)
    line = place(SYMBOLS, "c = Module").line
    found = [one for one in await linked(client, SYMBOLS) if one[0] == line]
    assert {part for _, part, _ in found} >= {"m", "n", "dtype"}, found


async def test_argument_names_lead_to_the_parameter(client):
    open_text(client, SYMBOLS)
    settings(client, argumentHints="all")
    line = place(SYMBOLS, "c = Module").line
    found = [one for one in await linked(client, SYMBOLS) if one[0] == line]
    assert (line, "a:", "6:a") in found and (line, "b:", "6:b") in found
    of_operator = next(h for h in await hints(client) if h.kind == t.InlayHintKind.Parameter and label_of(h) == "shape:")
    resolved = await ask(client.inlay_hint_resolve_async(of_operator))
    assert "R.zeros(shape, dtype)" in resolved.tooltip.value and "\nshape: " in resolved.tooltip.value
    support = client.capabilities.text_document.inlay_hint and client.capabilities.text_document.inlay_hint.resolve_support
    if not support or "label.location" not in support.properties:
        assert of_operator.label == "shape:"
        return
    # A click leads to the parameter's row of the operator on the installed page.
    (part,) = resolved.label
    page = Path(urllib.parse.unquote(urllib.parse.urlparse(part.location.uri).path)).read_text().split("\n")
    at = part.location.range.start.line
    assert page[at].startswith("| `shape` |")
    assert next(line for line in reversed(page[:at]) if line.startswith("## ")) == "## R.zeros"


async def test_what_names_nothing_leads_to_the_derivation(client):
    """A StructInfo without variables can be clicked as well, where the client resolves commands."""
    open_text(client, SCRIPT)
    support = client.capabilities.text_document.inlay_hint and client.capabilities.text_document.inlay_hint.resolve_support
    line = place(SCRIPT, "lv =").line
    hint = next(h for h in await hints(client) if h.position.line == line and h.kind == t.InlayHintKind.Type)
    resolved = await ask(client.inlay_hint_resolve_async(hint))
    if not support or "label.command" not in support.properties:
        assert isinstance(resolved.label, str)
        return
    assert [part.command for part in hint.label] == [None]
    (part,) = resolved.label
    assert part.command.command == "rlx.showWhy"
    assert part.command.arguments == [client.uri, None, {"line": line, "character": 8}]
    answer = await ask(client.workspace_execute_command_async(t.ExecuteCommandParams(
        "rlx.view.why", [{"uri": part.command.arguments[0], "position": part.command.arguments[2]}])))
    assert "R.permute_dims" in (answer["text"] if isinstance(answer, dict) else answer.text)
