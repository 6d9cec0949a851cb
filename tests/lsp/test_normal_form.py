"""Normal form in the editor: refactorings, the view, hints, and the setting that makes violations errors."""
from lsprotocol import types as t

from session import label_of, applied, ask, diagnostics, edits_of, offered, open_text, place

SCRIPT = '''\
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2, 3), "float32")):
    pair = (R.exp(x), x)
    y = pair[0]  # kept
    return R.add(y, pair[1])
'''


async def actions(client, text, needle, kind, inside=0):
    at = place(text, needle, inside=inside)
    found = await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[], only=[kind])))
    return {a.title: applied(text, edits_of(a, client.uri)) for a in found or []}


async def test_nested_call_is_bound(client):
    open_text(client, SCRIPT)
    hints = [d for d in await diagnostics(client) if d.code == "RLX0501"]
    assert [d.severity for d in hints] == [t.DiagnosticSeverity.Hint]
    fixed = await actions(client, SCRIPT, "R.exp", "quickfix")
    assert "    gv = R.exp(x)\n    pair = (gv, x)\n" in fixed["bind to a variable"]
    extracted = await actions(client, SCRIPT, "pair[1]", "refactor.extract", inside=5)
    assert "    gv1 = pair[1]\n    return R.add(y, gv1)\n" in extracted["bind to a variable"]


async def test_annotation_and_value_change_in_order(client):
    """A call that is bound out of an annotated value: the annotation is written anew before the value."""
    text = SCRIPT.replace("    pair =", "    z: R.Tensor((2, 3)) = R.sin(R.sqrt(x))\n    pair =")
    open_text(client, text)
    await diagnostics(client)
    at = place(text, "R.sqrt", inside=3)
    found = await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at),
        t.CodeActionContext(diagnostics=[], only=["refactor.extract"])))
    edits = next(edits_of(a, client.uri) for a in found if a.title == "bind to a variable")
    assert [e.new_text for e in edits][1:] == ['R.Tensor((2, 3), dtype="float32")', "gv"]
    starts = [(e.range.start.line, e.range.start.character) for e in edits]
    assert len(starts) == 3 and starts == sorted(starts)


async def test_binding_is_inlined(client):
    open_text(client, SCRIPT)
    inlined = await actions(client, SCRIPT, "y = ", "refactor.inline")
    assert "    # kept\n    return R.add(pair[0], pair[1])\n" in inlined["inline `y`"]
    assert not await actions(client, SCRIPT, "x: R", "refactor.inline")


async def test_function_is_rewritten(client):
    open_text(client, SCRIPT)
    found = await actions(client, SCRIPT, "y = ", "refactor.rewrite")
    assert "gv2 = R.add(y, gv1)\n    return gv2\n" in found["bring `main` into normal form"]
    assert "    gv = R.exp(x)\n    # kept\n    gv1 = R.add(gv, x)\n    return gv1\n" in found["bring `main` into t-anf"]
    assert "R.add(gv, x)" in found["canonicalize the bindings of `main`"]
    assert not await actions(client, SCRIPT, "from tvm", "refactor.rewrite")


async def test_view(client):
    open_text(client, SCRIPT)
    for form, needle in ((None, "gv2 = R.add(y, gv1)"), ("t-anf", "gv1 = R.add(gv, x)")):
        answer = await ask(client.workspace_execute_command_async(t.ExecuteCommandParams(
            "rlx.view.normal", [{"uri": client.uri, "function": "main", **({"form": form} if form else {})}])))
        text = answer["text"] if isinstance(answer, dict) else answer.text
        assert needle in text and text.startswith("@R.function\ndef main(")


async def test_settings(client):
    for refresh in ("workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        if refresh not in client.protocol.fm.features:
            client.feature(refresh)(lambda *_: None)
    settings = {"rlx": {"normalForm": "t-anf", "normalFormHints": True, "inlayHints": False}}
    client.workspace_did_change_configuration(t.DidChangeConfigurationParams(settings))
    open_text(client, SCRIPT)
    errors = [d.code for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert errors == ["RLX0505", "RLX0501", "RLX0505", "RLX0503"]
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(20, 0)))))
    labels = [label_of(h) for h in hints]
    assert "gv =" in labels and "gv2 =" in labels
