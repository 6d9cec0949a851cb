"""Rename of everything that has a name, and what is refused; highlights say what is written."""
import re

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import applied, ask, diagnostics, edits_in, here, open_text, place

TEXT = '''\
from tvm.script import ir as I, relax as R
from tvm.script import tirx as T

WIDTH = 4


@I.ir_module
class Net:
    @T.prim_func(private=True, s_tir=True)
    def scale(a: T.handle, b: T.handle):
        T.func_attr({"global_symbol": "scale", "tirx.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n, WIDTH), "float32")
        B = T.match_buffer(b, (n, WIDTH), "float32")
        for i, j in T.grid(n, WIDTH):
            with T.sblock("first"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for k in range(n):
            with T.sblock("second"):
                vk = T.axis.spatial(n, k)
                B[vk, 0] = A[vk, 0]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        cls = Net
        h = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        y = R.matmul(h, w)
        z: R.Tensor((n, m), "float32") = R.nn.relu(y)
        return z


entry = Net["main"]
names = [Net.main, [n for n in range(WIDTH)]]
'''


def at(client, needle, inside=0, skip=0):
    return here(client, place(TEXT, needle, skip, inside))


async def rename(client, needle, name, inside=0, skip=0):
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name=name, **at(client, needle, inside, skip))))
    return applied(TEXT, edits_in(edit, client.uri))


def replaced(*pairs):
    text = TEXT
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


RENAMES = [
    ("class Net", 6, "Model", [("class Net", "class Model"), ("cls = Net", "cls = Model"), ("= Net[", "= Model["), ("[Net.", "[Model.")]),
    ("cls.scale", 0, "mod", [("cls = ", "mod = "), ("cls.scale", "mod.scale")]),
    ("cls.scale", 5, "twice", [("def scale", "def twice"), ('"scale"', '"twice"'), ("cls.scale", "cls.twice")]),
    ("Net.main", 5, "forward", [("def main", "def forward"), ('["main"]', '["forward"]'), ("Net.main", "Net.forward")]),
    ('"first"', 2, "copy.rows", [('"first"', '"copy.rows"')]),
    ("vi, vj] *", 0, "row", [("vi", "row")]),
    ("i, j in", 0, "k", [("for i, j", "for k, j"), ("[i, j]", "[k, j]")]),
    ("for k in", 4, "i", [("for k in", "for i in"), ("(n, k)", "(n, i)")]),
    ("B[vk", 0, "Out", [("B = ", "Out = "), ("B[", "Out[")]),
    ("a: T.handle", 0, "left", [("(a: T", "(left: T"), ("match_buffer(a", "match_buffer(left")]),
    ("WIDTH = 4", 0, "W", [("WIDTH", "W")]),
    ('"m"), "float32")', 1, "cols", [('"m"', '"cols"'), ("m = T.int64()", "cols = T.int64()"), ("(n, m)", "(n, cols)")]),
    ("relax as R", 9, "Rx", [("as R\n", "as Rx\n"), ("R.", "Rx.")]),
    ("h, w)", 0, "hidden", [("h = R", "hidden = R"), ("(h, w)", "(hidden, w)")]),
    ("w: R", 0, "weight", [("w: R", "weight: R"), ("(h, w)", "(h, weight)")]),
]


@pytest.mark.parametrize("needle, inside, name, pairs", RENAMES, ids=[r[0] for r in RENAMES])
async def test_renames(client, needle, inside, name, pairs):
    open_text(client, TEXT)
    assert await rename(client, needle, name, inside) == replaced(*pairs)


REFUSED = [
    ("n = T.int64()\n        m", 0, "m", "line 25"),
    ('"n", 4', 1, "m", "line 25"),
    ("h = R", 0, "y", "line 30"),
    ("h = R", 0, "cls", "line 28"),
    ("h = R", 0, "R", "meaning of its own"),
    ("h = R", 0, "range", "builtin"),
    ("h = R", 0, "lambda", "keyword"),
    ("h = R", 0, "2h", "not a Python name"),
    ("h = R", 0, "", "not a Python name"),
    ("i, j in", 0, "j", "line 15"),
    ("i, j in", 0, "n", "line 15"),
    ("vi, vj =", 0, "A", "line 18"),
    ('"first"', 2, "second", "line 20"),
    ('"first"', 2, 'a"b', "quotes"),
    ("cls.scale", 5, "main", "line 25"),
    ("class Net", 6, "WIDTH", "line 4"),
    ("WIDTH = 4", 0, "vi", "line 17"),
    ("relax as R", 9, "T", "line 2"),
    ("matmul", 0, "mm", "operator"),
]


@pytest.mark.parametrize("needle, inside, name, says", REFUSED, ids=[f"{r[0]} to {r[2]}" for r in REFUSED])
async def test_what_is_in_the_way(client, needle, inside, name, says):
    open_text(client, TEXT)
    with pytest.raises(JsonRpcException) as failure:
        await rename(client, needle, name, inside)
    assert says in str(failure.value)


async def test_an_import_gets_an_as(client):
    text = TEXT.replace("ir as I", "ir").replace("@I.ir_module", "@ir.ir_module")
    open_text(client, text)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="I", **here(client, place(text, "@ir", inside=1)))))
    assert applied(text, edits_in(edit, client.uri)) == TEXT


async def test_the_edit_names_the_version(client):
    open_text(client, TEXT, version=7)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="hidden", **at(client, "h = R"))))
    if client.capabilities.workspace.workspace_edit.document_changes:
        assert edit.changes is None and [c.text_document.version for c in edit.document_changes] == [7]
    else:
        assert list(edit.changes) == [client.uri]


async def test_prepare_shows_the_name(client):
    open_text(client, TEXT)
    found = await ask(client.text_document_prepare_rename_async(t.PrepareRenameParams(**at(client, '"second"', 3))))
    assert found.placeholder == "second" and found.range.start == place(TEXT, '"second"', inside=1)
    with pytest.raises(JsonRpcException, match="operator"):
        await ask(client.text_document_prepare_rename_async(t.PrepareRenameParams(**at(client, "matmul"))))
    assert await ask(client.text_document_prepare_rename_async(t.PrepareRenameParams(**at(client, "= 4")))) is None


async def test_highlights_tell_writes_from_reads(client):
    open_text(client, TEXT)
    found = await ask(client.text_document_document_highlight_async(t.DocumentHighlightParams(**at(client, "B[vk"))))
    assert [(h.range.start.line, h.kind.name) for h in found] == [(13, "Write"), (17, "Write"), (21, "Write")]
    found = await ask(client.text_document_document_highlight_async(t.DocumentHighlightParams(**at(client, "A[vk"))))
    assert [(h.range.start.line, h.kind.name) for h in found] == [(12, "Write"), (17, "Read"), (21, "Read")]


async def test_the_findings_stay(client):
    """A rename in an incomplete file."""
    text = TEXT.replace("        return z\n", "        u = R.add(z, \n        return z\n")
    open_text(client, text)
    await diagnostics(client)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="out", **here(client, place(text, "z: R")))))
    assert applied(text, edits_in(edit, client.uri)).count("out") == 3 + TEXT.count("out")


ONE_NAME = '''\
from tvm.script import relax as R, tirx as T


@T.prim_func(s_tir=True)
def again(A: T.Buffer((8,), "float32"), n: T.int32):
    A = A
    for i in range(8):
        A[i] = T.float32(1)


@T.prim_func(s_tir=True)
def chosen(B: T.Buffer((8,), "float32")):
    if True:
        size = 4
    else:
        size = 8
    for i in range(size):
        B[i] = T.float32(1)


@R.function
def broken(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        return x
    else:
        y = R.exp(x)
    return y
'''


@pytest.mark.parametrize("needle, old, new", [("A: T", "A", "Out"), ("A[i]", "A", "Out"), ("size = 4", "size", "width"), ("size = 8", "size", "width"),
                                              ("size):", "size", "width"), ("y = R", "y", "last")])
async def test_a_name_is_renamed_wherever_it_may_be_meant(client, needle, old, new):
    open_text(client, ONE_NAME)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name=new, **here(client, place(ONE_NAME, needle)))))
    assert applied(ONE_NAME, edits_in(edit, client.uri)) == re.sub(rf"\b{old}\b", new, ONE_NAME)


REWRITER = '''\
from tvm.script import relax as R


@R.rewriter
class Twice:
    @R.function
    def pattern(x: R.Tensor((4,), "float32")):
        return R.add(x, x)

    @R.function
    def replacement(x: R.Tensor((4,), "float32")):
        return R.multiply(x, R.const(2, "float32"))
'''


@pytest.mark.parametrize("needle", ["pattern", "replacement"])
async def test_functions_that_a_rewriter_takes_by_name_keep_it(client, needle):
    open_text(client, REWRITER)
    with pytest.raises(JsonRpcException, match="by their names"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="other", **here(client, place(REWRITER, needle)))))


PYTHONS = '''\
from tvm import tir
from tvm.script import ir as I, relax as R

n = tir.Var("n", "int64")


@I.ir_module
class Module:
    @R.function
    def of_python(x: R.Tensor((n, 2), "float32")) -> R.Tensor((n, 2), "float32"):
        y: R.Tensor((n, 2), "float32") = R.abs(x)
        return y

    @R.function
    def own(x: R.Tensor(("n", 2), "float32")):
        return x
'''


@pytest.mark.parametrize("needle", ["n = tir", "n, 2), \"float32\")) ->", "n, 2), \"float32\") = "])
async def test_a_dimension_that_python_names_is_renamed_with_it(client, needle):
    open_text(client, PYTHONS)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="rows", **here(client, place(PYTHONS, needle)))))
    expected = PYTHONS.replace("(n,", "(rows,").replace("\nn = tir", "\nrows = tir").replace('Var("n"', 'Var("rows"')
    assert applied(PYTHONS, edits_in(edit, client.uri)) == expected


async def test_a_dimension_of_a_function_is_its_own(client):
    open_text(client, PYTHONS)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="rows", **here(client, place(PYTHONS, '"n", 2', 0, 1)))))
    assert applied(PYTHONS, edits_in(edit, client.uri)) == PYTHONS.replace('"n", 2', '"rows", 2')


SCALAR = '''\
from tvm.script import relax as R, tirx as T


@R.function
def sized(n: T.int64, x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
    return x
'''


@pytest.mark.parametrize("skip", [0, 1])
async def test_strings_that_name_a_scalar_are_renamed_with_it(client, skip):
    open_text(client, SCALAR)
    needle = ["n: T", '"n", 4'][skip]
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="rows", **here(client, place(SCALAR, needle, 0, skip)))))
    assert applied(SCALAR, edits_in(edit, client.uri)) == SCALAR.replace("(n: T", "(rows: T").replace('"n"', '"rows"')


PRINTED = '''\
# from tvm.script import tirx as T

n = TypeVar("n")

@T.prim_func(s_tir=True)
def around(A: T.Buffer((n, 4), "int32"), B: T.Buffer(("n * T.int64(4)",), "int32")):
    for i in range(n):
        B[i] = A[i, 0]

@T.prim_func(s_tir=True)
def given(A: T.Buffer(("rows",), "int32"), rows: T.int64, B: T.Buffer(("rows + 1", "rows2"), "int32")):
    B[rows - T.int64(1), 0] = A[0]

@T.prim_func(s_tir=True)
def declared(A: T.Buffer(("m", "2 * k"), "int32"), B: T.Buffer((4,), "int32", scope="m")):
    m, k = T.int32(), T.int32()
    A[m - 1, k - 1] = 1
'''


@pytest.mark.parametrize("needle, inside, old", [
    ("n = Type", 0, "n"), ("(n, 4)", 1, "n"), ('"n * T', 1, "n"), ("range(n)", 6, "n"),
    ("rows: T", 0, "rows"), ('"rows"', 1, "rows"), ('"rows + 1', 1, "rows"), ("[rows", 1, "rows"),
    ("k = T", 0, "k"), ('"2 * k"', 5, "k"), ("k - 1", 0, "k"),
])
async def test_strings_in_the_signature_of_a_primfunc_are_renamed_with_what_they_name(client, needle, inside, old):
    open_text(client, PRINTED)
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="extent", **here(client, place(PRINTED, needle, 0, inside)))))
    assert applied(PRINTED, edits_in(edit, client.uri)) == re.sub(rf"\b{old}\b", "extent", PRINTED)


async def test_a_string_that_is_no_dimension_is_not_renamed(client):
    open_text(client, PRINTED)
    with pytest.raises(JsonRpcException, match="a string in a PrimFunc's signature names `m`"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="extent", **here(client, place(PRINTED, "m - 1")))))


BROKEN = '''\
from tvm.script import relax as R


@R.function
def first(x: R.Tensor((2,), "float32")):
    return x


@R.function
def leaks(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.exp(x)
    return gv
'''


async def test_a_name_around_does_not_take_what_an_error_leaves(client):
    open_text(client, BROKEN)
    with pytest.raises(JsonRpcException, match="line 5"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="first", **here(client, place(BROKEN, "gv")))))


BLANKS = '''\
from tvm.script import relax as R, tir as T


@R.function
def main(x: R.Tensor[(n, 4), "float32"]):
    _ = R.print(x, format="{}")
    y: R.Tensor[(_, 4), "float32"] = R.exp(x)
    return y
'''


@pytest.mark.parametrize("needle", ["_ = ", "_, 4"])
async def test_tlc_packs_blank_is_no_variable(client, needle):
    open_text(client, BLANKS)
    with pytest.raises(JsonRpcException, match="stands for what is not known"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="m", **here(client, place(BLANKS, needle)))))
