"""What the editor says beyond a StructInfo: why it is so, hints at annotations, refactorings."""
import re

from lsprotocol import types as t

from session import label_of, SCRIPT, applied, ask, diagnostics, edits_in, edits_of, here, offered, open_text, place


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
    assert ') -> R.Tensor((n, 3), dtype="float32")\n' in text and "returned = lv2" in text
    assert text.count("\n") < 20  # what fits beside the code


PRIM = '''\
from tvm.script import tir as T


@T.prim_func
def double(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    for i in range(4):
        for j in range(8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
'''


async def test_names_of_a_prim_func(client):
    assert 'A: T.Buffer((4, 8), "float32")' in await hover(client, PRIM, "A[vi")
    at = here(client, place(PRIM, "i, j]"))
    found = await ask(client.text_document_hover_async(t.HoverParams(**at)))
    assert "for i in range(4):" in found.contents.value and "`i < 4`" in found.contents.value
    found = await ask(client.text_document_definition_async(t.DefinitionParams(**at)))
    assert found.range.start == place(PRIM, "i in range(4)")
    renamed = await ask(client.text_document_rename_async(t.RenameParams(
        client_text(client), place(PRIM, "vi, vj] ="), "row")))
    assert applied(PRIM, edits_in(renamed, client.uri)) == PRIM.replace("vi", "row")


REDUCTION = '''\
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        for j in range(8):
            with T.sblock("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vj]
        with T.sblock("shift"):
            v = T.axis.spatial(16, i)
            C[v] = B[v + 1]
'''


async def test_blocks_and_loops_of_a_prim_func(client):
    text = await hover(client, REDUCTION, '"sum"', inside=2)
    assert 'Block "sum", a reduction (sum)' in text, text
    assert "- `vj = j` in `[0, 8)`, reduce" in text and "- reads (deduced) `A[vi, vj]`" in text, text
    assert '- before block "shift": RAW `B`' in text, text
    text = await hover(client, REDUCTION, '"shift"', inside=2)
    assert 'no region cover: in one iteration of i it reads B[i + 1], of which "sum" writes B[i]' in text, text
    text = await hover(client, REDUCTION, "j in range(8)")
    assert "Loop, serial, reduce" in text and '- blocks below: "sum"' in text and "not parallelizable" in text, text
    text = await hover(client, REDUCTION, "vi, vj]\n        with", inside=0)
    assert 'Block variable of "sum"' in text and "- `vi = i` in `[0, 16)`, data_par" in text, text


def client_text(client):
    return t.TextDocumentIdentifier(client.uri)


async def test_one_action_for_calls_nested_in_calls(client):
    text = SCRIPT.replace("R.matmul(lv, w)", "R.exp(R.exp(R.matmul(lv, w)))")
    titles = [a.title for a in await actions_at(client, text, "matmul(")]
    assert titles.count("bind to a variable") == 1, titles


async def test_long_hints_are_cut(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", "R.split(lv1, 3, axis=1)")
    open_text(client, text)
    await diagnostics(client)
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(20, 0)))))
    (long,) = [h for h in hints if str(h.tooltip).count("R.Tensor") == 3]
    assert len(label_of(long)) < 70 and str(long.tooltip).count("R.Tensor") == 3
    assert long.text_edits[0].new_text == ": " + long.tooltip


async def test_blame_names_sizes_and_operands(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", 'R.matmul(lv1, R.zeros((n + 1, 4), "float32"))').replace("(4, 3)", '(4, "n")')
    open_text(client, text)
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert len(errors) == 1 and "(2 against 3 for n = 2)" in errors[0].message
    if errors[0].related_information:
        assert errors[0].related_information[0].location.range.start == place(text, "lv1 =")
        assert "`lv1` is R.Tensor((n, n)" in errors[0].related_information[0].message


async def actions_at(client, text, needle, inside=0, only=None):
    open_text(client, text)
    await diagnostics(client)
    at = place(text, needle, inside=inside)
    return await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[], only=only)))


async def act(client, text, needle, title, inside=0):
    found = [a for a in await actions_at(client, text, needle, inside) if a.title == title]
    assert found, [a.title for a in await actions_at(client, text, needle, inside)]
    return applied(text, edits_of(found[0], client.uri))


async def test_annotation_actions(client):
    text = SCRIPT.replace("lv2 = R.add", 'lv2: R.Tensor(ndim=2, dtype="float32") = R.add')
    assert 'lv2: R.Tensor((n, 3), dtype="float32") = R.add(' in await act(client, text, "R.Tensor(ndim=2", "make annotation finer", 2)
    text = SCRIPT.replace("lv2 = R.add(lv1, lv1)", 'lv2: R.Tensor((n,), "float32") = R.unique(lv1)')
    assert 'lv2 = R.match_cast(R.unique(lv1), R.Tensor((n,), dtype="float32"))' in await act(client, text, "R.Tensor((n,)", "check it with `R.match_cast`", 2)


async def test_checks_at_run_time_are_shown(client):
    text = SCRIPT.replace("lv = cls.helper(x)", 'lv = cls.helper(R.zeros((n, n), "float32"))')
    open_text(client, text)
    await diagnostics(client)
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(11, 0), t.Position(20, 0)))))
    notes = [h for h in hints if "run time" in label_of(h)]
    assert [label_of(h) for h in notes] == ["checked at run time: n == 4"]
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
    notes = [(h.position.line, label_of(h), h.tooltip) for h in hints if "may be" in label_of(h)]
    assert [n[0] for n in notes] == [4, 8]
    assert notes[0][1:] == ("may be (m, n) f32", 'may be R.Tensor((m, n), dtype="float32")')  # as the form of hints has it


async def test_hover_shows_the_shape_function(client):
    text = await hover(client, SCRIPT, "main(", inside=1)
    assert "Shape function: `x: (n, 4), w: (4, 3) -> (n, 3)`" in text


async def test_refactorings(client):
    text = await act(client, SCRIPT, "lv1 =", "insert annotation")
    assert 'lv1: R.Tensor((n, 3), dtype="float32") = R.matmul(lv, w)' in text
    other = re.sub(r"\bR\.", "relax.", SCRIPT).replace("relax as R", "relax")
    assert 'lv1: relax.Tensor((n, 3), dtype="float32") = relax.matmul(lv, w)' in await act(client, other, "lv1 =", "insert annotation")
    unused = SCRIPT.replace("        lv2 = R.add(lv1, lv1)\n", "        lv2 = R.add(lv1, lv1)\n        lv3 = R.exp(lv2)  # nobody reads it\n")
    assert await act(client, unused, "lv3 =", "remove unused binding `lv3`") == SCRIPT
    titles = [a.title for a in await actions_at(client, SCRIPT, "lv2 =")]
    assert not any("unused" in title for title in titles)
    text = await act(client, UNKNOWN, "lv0 =", 'check with R.match_cast that `lv0` is R.Tensor((m, n), dtype="float32")')
    assert 'lv0 = R.match_cast(R.log(x), R.Tensor((m, n), dtype="float32"))' in text
    text = await act(client, UNKNOWN, "x: R.Tensor", 'annotate `x` as R.Tensor(("m", "n"), dtype="float32")')
    assert 'x: R.Tensor(("m", "n"), dtype="float32"), y:' in text


async def test_normal_form_actions(client):
    nested = SCRIPT.replace("R.add(lv1, lv1)", "R.add(R.exp(lv1), lv1)")
    titles = [a.title for a in await actions_at(client, nested, "R.exp", inside=2)]
    assert any("normal form" in title for title in titles), titles
    assert any("bind" in title for title in titles), titles
    inline = [a.title for a in await actions_at(client, SCRIPT, "lv1 =", only=["refactor.inline"]) if not a.disabled]
    assert inline == [], inline  # read twice
    alias = SCRIPT.replace("        return lv2", "        lv3 = lv2\n        return lv3")
    inline = [a for a in await actions_at(client, alias, "lv3 =", only=["refactor.inline"])]
    assert len(inline) == 1
    assert "return lv2" in applied(alias, edits_of(inline[0], client.uri))


async def test_extract_function(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    start, end = place(SCRIPT, "lv1 = "), place(SCRIPT, "R.add(lv1, lv1)", inside=15)
    actions = await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(start, end), t.CodeActionContext(diagnostics=[], only=["refactor.extract"])))
    found = [a for a in actions if a.title == "extract function `main_part`"]
    assert found, [a.title for a in actions]
    text = applied(SCRIPT, edits_of(found[0], client.uri))
    assert "lv2 = Module.main_part(lv, w)\n        return lv2\n" in text
    assert 'def main_part(lv: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, 3), dtype="float32")) -> R.Tensor(("n", 3), dtype="float32"):' in text
    assert "lv2 = R.add(lv1, lv1)\n        return lv2\n\n    @R.function\n    def main(" in text
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [t.TextDocumentContentChangeWholeDocument(text)]))
    assert [d for d in await diagnostics(client) if d.severity in (t.DiagnosticSeverity.Error, t.DiagnosticSeverity.Warning)] == []


async def test_hover_on_a_symbol_says_what_is_known(client):
    text = SCRIPT.replace("        lv2 = R.add(lv1, lv1)", "        lv5 = R.match_cast(lv1, R.Tensor((8, 3), \"float32\"))\n        lv2 = R.zeros((n, 2), \"float32\")")
    assert "- `n == 8` (match_cast)" in await hover(client, text, "(n, 2)", inside=1)


async def test_dimensions_get_names(client):
    text = SCRIPT.replace("lv2 = R.add(lv1, lv1)", "lv2 = R.unique(lv1)")
    text = await act(client, text, "lv2 =", "name the dimensions of `lv2` with R.match_cast")
    assert '        m = T.int64()\n        lv2 = R.match_cast(R.unique(lv1), R.Tensor((m,), dtype="float32"))\n' in text


async def test_a_word_in_a_text_is_no_symbol(client):
    text = SCRIPT.replace("cls = Module\n", 'cls = Module\n        R.func_attr({"note": "n rows"})\n        R.call_packed("f", R.str("n rows"))\n')
    open_text(client, text)
    await diagnostics(client)
    at = place(text, '"n rows"))', inside=1)
    assert not await ask(client.text_document_prepare_rename_async(t.PrepareRenameParams(t.TextDocumentIdentifier(client.uri), at)))
