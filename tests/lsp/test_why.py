"""What the editor says beyond a StructInfo: why it is so, hints at annotations, refactorings."""
import sys
import pathlib

import pytest
from lsprotocol import types as t

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_session import SCRIPT, ask, client, diagnostics, here, open_text, place  # noqa: E402, F401

pytestmark = [pytest.mark.asyncio, pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")]


async def hover(client, text, needle, inside=0):
    open_text(client, text)
    await diagnostics(client)
    found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(text, needle, inside=inside)))))
    return found.contents.value


async def test_hover_says_why(client):
    text = await hover(client, SCRIPT, "lv1 =")
    assert "R.matmul: Leading axes broadcast" in text
    assert "x1 = lv: " in text and "x2 = parameter w: " in text
    assert "n: dimension 0 of x" in text and "line 12" in text


async def test_hover_says_what_a_function_returns(client):
    text = await hover(client, SCRIPT, "main(", inside=1)
    assert 'Result: `R.Tensor((n, 3), dtype="float32")`' in text and "returned = lv2" in text


async def test_blame_names_sizes_and_operands(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", 'R.matmul(lv1, R.zeros((n + 1, 4), "float32"))').replace("(4, 3)", '(4, "n")')
    open_text(client, text)
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert len(errors) == 1 and "(2 against 3 for n = 2)" in errors[0].message
    if errors[0].related_information:
        assert errors[0].related_information[0].location.range.start == place(text, "lv1 =")
        assert "`x1` is R.Tensor((n, n)" in errors[0].related_information[0].message


async def actions_at(client, text, needle, inside=0, only=None):
    open_text(client, text)
    await diagnostics(client)
    at = place(text, needle, inside=inside)
    return await ask(client.text_document_code_action_async(t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[], only=only))))


def apply(text, edits):
    """`text` after LSP edits; all of these texts are ASCII."""
    lines = text.split("\n")
    start = [0]
    for line in lines:
        start.append(start[-1] + len(line) + 1)
    where = lambda p: start[p.line] + p.character  # noqa: E731
    for e in sorted(edits, key=lambda e: where(e.range.start), reverse=True):
        text = text[:where(e.range.start)] + e.new_text + text[where(e.range.end):]
    return text


async def act(client, text, needle, title, inside=0):
    found = [a for a in await actions_at(client, text, needle, inside) if a.title == title]
    assert found, [a.title for a in await actions_at(client, text, needle, inside)]
    return apply(text, found[0].edit.changes[client.uri])


async def test_annotation_actions(client):
    text = SCRIPT.replace("lv2 = R.add", 'lv2: R.Tensor(ndim=2, dtype="float32") = R.add')
    assert 'lv2: R.Tensor((n, 3), dtype="float32") = R.add(' in await act(client, text, "R.Tensor(ndim=2", "make annotation finer", 2)
    text = SCRIPT.replace("lv2 = R.add(lv1, lv1)", 'lv2: R.Tensor((n,), "float32") = R.unique(lv1)')
    assert 'lv2 = R.match_cast(R.unique(lv1), R.Tensor((n,), dtype="float32"))' in await act(client, text, "R.Tensor((n,)", "check it with R.match_cast", 2)


async def test_checks_at_run_time_are_shown(client):
    text = SCRIPT.replace("lv = cls.helper(x)", 'lv = cls.helper(R.zeros((n, n), "float32"))')
    open_text(client, text)
    await diagnostics(client)
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(11, 0), t.Position(20, 0)))))
    notes = [h for h in hints if "run time" in str(h.label)]
    assert [h.label for h in notes] == ["checked at run time: n == 4"]
    assert notes[0].position == place(text, '"float32"))\n        lv1', inside=len('"float32")'))


UNKNOWN = '''\
from tvm.script import relax as R, tirx as T


@R.function
def before(x: R.Tensor, y: R.Tensor(("m", "n"), "float32")):
    m = T.int64()
    n = T.int64()
    with R.dataflow():
        lv0 = R.log(x)
        gv0: R.Tensor((m, n), "float32") = R.add(lv0, y)
        R.output(gv0)
    return gv0
'''


async def test_backward_deduction(client):
    text = await hover(client, UNKNOWN, "lv0 =")
    assert 'Must be: `R.Tensor(dtype="float32")`, because of R.add' in text
    assert 'May be: `R.Tensor((m, n), dtype="float32")`' in text
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(14, 0)))))
    notes = [(h.position.line, h.label) for h in hints if "may be" in str(h.label)]
    assert [n[0] for n in notes] == [4, 8] and 'may be R.Tensor((m, n), dtype="float32")' in notes[0][1]


async def test_hover_shows_the_shape_function(client):
    text = await hover(client, SCRIPT, "main(", inside=1)
    assert "Shape function: `x: (n, 4), w: (4, 3) -> (n, 3)`" in text
