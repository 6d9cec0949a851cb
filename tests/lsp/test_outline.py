"""Outline and folding through pytest-lsp."""
from lsprotocol import types as t

from session import ask, diagnostics, open_text

TEXT = '''\
# What a model is.
# It has two functions.
from tvm.script import ir as I
from tvm.script import relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def double(a: T.handle, c: T.handle):
        """Twice
        of it."""
        n = T.int64()
        A = T.match_buffer(a, (n, 4), "float32")
        C = T.match_buffer(c, (n, 4), "float32")
        for i, j in T.grid(n, 4):
            with T.block("double"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), p: R.Tensor((), "bool")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv = R.call_tir(
                cls.double,
                (x,),
                out_sinfo=R.Tensor((n, 4), "float32"),
            )
            gv = R.add(lv, x)
            R.output(gv)
        if p:
            w = R.nn.relu(gv)
        else:
            # nothing
            w = R.nn.gelu(gv)
        return w


# region more
@R.function
def other(x: R.Tensor((2, 3), "int32")):
    y, z = R.split(x, 2, axis=0)
    return y
# endregion
'''


def names(symbols):
    return [(s.name, names(s.children)) if s.children else s.name for s in symbols]


def walk(symbols):
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children or [])


def holds(outer, inner):
    return (outer.start.line, outer.start.character) <= (inner.start.line, inner.start.character) and \
        (inner.end.line, inner.end.character) <= (outer.end.line, outer.end.character)


async def test_outline_has_bindings_loops_and_blocks(client):
    open_text(client, TEXT)
    await diagnostics(client)
    symbols = await ask(client.text_document_document_symbol_async(
        t.DocumentSymbolParams(t.TextDocumentIdentifier(client.uri))))
    if not client.capabilities.text_document.document_symbol.hierarchical_document_symbol_support:
        assert all(isinstance(s, t.SymbolInformation) for s in symbols)
        container = {s.name: s.container_name for s in symbols}
        assert container["Module"] is None and container["main"] == "Module" and container["gv"] == "dataflow"
        return
    assert names(symbols) == [
        ("Module", [
            ("double", ["n", "A", "C", ("i, j", [("double", ["vi", "vj"])])]),
            ("main", ["n", "cls", ("dataflow", ["lv", "gv"]), "w", "w"])]),
        ("other", ["y", "z"])]
    by_name = {s.name: s for s in walk(symbols)}
    assert by_name["gv"].detail == 'R.Tensor((n, 4), dtype="float32")'
    assert by_name["A"].detail == 'T.match_buffer(a, (n, 4), "float32")'
    assert by_name["main"].detail.endswith('-> R.Tensor((n, 4), dtype="float32")')
    assert by_name["i, j"].detail == "T.grid(n, 4)"
    for symbol in walk(symbols):
        assert holds(symbol.range, symbol.selection_range), symbol.name
        assert all(holds(symbol.range, child.range) for child in symbol.children or []), symbol.name


async def test_outline_of_a_broken_text(client):
    broken = TEXT.replace("for i, j in T.grid(n, 4):", "for in T.grid(n, 4:").replace("def main(", "def (")
    open_text(client, broken)
    await diagnostics(client)
    symbols = await ask(client.text_document_document_symbol_async(
        t.DocumentSymbolParams(t.TextDocumentIdentifier(client.uri))))
    assert all(s.name for s in symbols) and "Module" in [s.name for s in symbols]


def lines(text, *starts):
    all_lines = text.split("\n")
    found, at = [], 0
    for start in starts:
        at = next(i for i in range(at, len(all_lines)) if all_lines[i].strip().startswith(start))
        found.append(at)
    return found


async def test_folding(client):
    open_text(client, TEXT)
    await diagnostics(client)
    folds = await ask(client.text_document_folding_range_async(
        t.FoldingRangeParams(t.TextDocumentIdentifier(client.uri))))
    at = {(f.start_line, f.end_line): f.kind for f in folds}
    assert len({f.start_line for f in folds}) == len(folds)
    assert at[0, 1] == t.FoldingRangeKind.Comment and at[2, 3] == t.FoldingRangeKind.Imports
    assert at[tuple(lines(TEXT, "def double", "C[vi, vj]"))] is None
    assert at[tuple(lines(TEXT, '"""Twice', "of it"))] == t.FoldingRangeKind.Comment
    assert tuple(lines(TEXT, "with R.dataflow", "R.output")) in at
    assert tuple(lines(TEXT, "lv = R.call_tir(", ")")) in at
    assert tuple(lines(TEXT, "if p:", "w = R.nn.relu")) in at
    assert tuple(lines(TEXT, "else:", "w = R.nn.gelu")) in at
    assert at[tuple(lines(TEXT, "# region", "# endregion"))] == t.FoldingRangeKind.Region


async def test_no_folds_in_strings_and_single_lines(client):
    text = 'x = """\n# a\n# b\n"""\nimport os\n# one\ny = 1\n'
    open_text(client, text)
    folds = await ask(client.text_document_folding_range_async(
        t.FoldingRangeParams(t.TextDocumentIdentifier(client.uri))))
    assert [(f.start_line, f.end_line) for f in folds] == [(0, 3)]


async def test_names_bound_together_say_what_each_is(client):
    open_text(client, TEXT.replace("        n = T.int64()\n        cls = Module\n", "        n, m = T.int64(), T.int32()\n        cls = Module\n"))
    symbols = await ask(client.text_document_document_symbol_async(t.DocumentSymbolParams(t.TextDocumentIdentifier(client.uri))))
    found = {symbol.name: symbol for symbol in walk(symbols) if symbol.name in ("n", "m")}
    if hasattr(found["m"], "detail"):
        assert (found["n"].detail, found["m"].detail) == ("T.int64()", "T.int32()")
    assert found["n"].kind == found["m"].kind == t.SymbolKind.Constant
