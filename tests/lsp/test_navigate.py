"""Rename over files, declaration, type definition, hover of PrimFuncs."""
import pathlib
import urllib.parse

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import applied, ask, edits_in, here, open_text, place
from test_rename import TEXT

USER = '''\
from tvm.script import relax as R
from model import Net, WIDTH as W
import model as nets


sizes = [W, nets.WIDTH, nets.WIDTHS]
forward = Net["main"]


@R.function
def f(x: R.Tensor((nets.WIDTH, W), "float32")):
    return x
'''


def folder(client):
    return pathlib.Path(urllib.parse.unquote(client.uri[len("file://"):])).parent


async def rename(client, needle, name, inside=0):
    return await ask(client.text_document_rename_async(t.RenameParams(new_name=name, **here(client, place(TEXT, needle, inside=inside)))))


def project(client):
    (folder(client) / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    (folder(client) / "model.py").write_text(TEXT)
    user = folder(client) / "user.py"
    user.write_text(USER)
    (folder(client) / "other.py").write_text("from elsewhere import Net\nNet\n")
    open_text(client, TEXT)
    return user.as_uri()


async def test_a_rename_reaches_modules_that_import_the_name(client):
    user = project(client)
    edit = await rename(client, "class Net", "Model", 6)
    assert applied(USER, edits_in(edit, user)) == USER.replace("import Net", "import Model").replace('Net["', 'Model["')
    edit = await rename(client, "WIDTH = 4", "COLS")
    assert applied(USER, edits_in(edit, user)) == USER.replace("WIDTH as W", "COLS as W").replace("nets.WIDTH,", "nets.COLS,")
    touched = set(edit.changes) if edit.document_changes is None else {c.text_document.uri for c in edit.document_changes}
    assert touched == {client.uri, user}


async def test_an_open_module_counts_as_it_is_in_the_editor(client):
    user = project(client)
    text = "from model import Net\n"
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(user, "python", 3, text)))
    edit = await rename(client, "class Net", "Model", 6)
    assert applied(text, edits_in(edit, user)) == "from model import Model\n"
    if edit.document_changes is not None:
        assert {c.text_document.uri: c.text_document.version for c in edit.document_changes} == {client.uri: 1, user: 3}


async def test_a_name_that_another_module_has_is_in_the_way(client):
    project(client)
    with pytest.raises(JsonRpcException, match=r"user\.py `forward` stands for something else in line 7"):
        await rename(client, "class Net", "forward", 6)


HOVERED = """\
import tvm.script.tir as T, os
from tvm.script import relax as R, ir


@R.function
def f(x: R.Tensor((4, 8), dtype="float32")) -> R.Object:
    y = R.nn.softmax(x, axis=-1)
    z = R.sum(R.full(shape=(4, 8), fill_value=R.const(1.0, "float32")), axis = [0], keepdims=True)
    u = f(x=R.print(y, format="axis=1"))
    return R.add(x1=z, x2=y)
"""


@pytest.mark.parametrize("needle, inside, wanted", [
    ("R.Tensor", 0, "from tvm.script import relax as R"), ("T, os", 0, "import tvm.script.tir as T"), ("ir\n", 0, "from tvm.script import ir"), ("os", 0, "import os"),
    ("axis=-1", 2, "axis=-1"), ("axis = [0]", 0, "axis=None"), ("keepdims=True", 8, "keepdims=False"), ("shape=(4", 0, "shape"), ("fill_value", 3, "fill_value"),
    ("dtype=", 1, "dtype"), ("x=R.print", 0, 'x: R.Tensor((4, 8), dtype="float32")'), ("x2=y", 1, "x2"), ("format=", 2, 'format=""'),
    ("axis=1", 0, None), ("-1)", 0, None), ("return", 2, None)])
async def test_hover_of_imports_and_of_arguments_by_name(client, needle, inside, wanted):
    open_text(client, HOVERED)
    found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(HOVERED, needle, inside=inside)))))
    if wanted is None:
        assert found is None, found
        return
    assert wanted in found.contents.value.replace("```python\n", "").split("\n")[0], found.contents.value
    assert (found.range.start.line, found.range.end.line) == (place(HOVERED, needle).line,) * 2


async def test_hover_says_what_buffers_are_for(client):
    open_text(client, TEXT)
    found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(TEXT, "cls.scale", inside=5)))))
    assert "->" not in found.contents.value  # it returns nothing
    assert '- `A: T.Buffer((n, 4), "float32")` in\n- `B: T.Buffer((n, 4), "float32")` out' in found.contents.value
    text = '''\
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def mm(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32"), D: T.Buffer((8,), "int32"), E: T.Buffer((8,), "int32"), F: T.Buffer((8,), "int32")):
    for i, j, k in T.grid(8, 8, 8):
        with T.sblock("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk]
    for i in range(8):
        with T.sblock("D"):
            vi = T.axis.spatial(8, i)
            D[vi] = D[vi] + 1
            E[vi] = 1
    for i in range(8):
        with T.sblock("E"):
            vi = T.axis.spatial(8, i)
            E[vi] = E[7 - vi] + 1
'''
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(version=2, uri=client.uri), [t.TextDocumentContentChangeWholeDocument(text)]))
    found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(text, "mm")))))
    words = [line.split("` ")[1] for line in found.contents.value.split("\n") if line.startswith("- `")]
    assert words == ["in", "out", "in, out", "out, read again", "not used"]


async def test_hover_of_buffers_and_dimensions(client):
    text = '''from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int64()
    m = T.int64()
    A = T.match_buffer(a, (8, n), "float32")
    B = T.match_buffer(b, (8, 8), "float16")
    L = T.alloc_buffer((8, 8), scope="local")
    for i, j in T.grid(8, 8):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            L[vi, vj] = A[vi, vj]
    for i, j in T.grid(8, 8):
        with T.block("cast"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.cast(L[vi, vj], "float16")
'''
    open_text(client, text)
    wanted = {"n =": "Variable.\n\nDimension 1 of `A`", "m =": "Variable.", "A =": 'Buffer.\n\n`A: T.Buffer((8, n), "float32")` in\n\n- read by block "copy"',
              "B[": 'Buffer.\n\n`B: T.Buffer((8, 8), "float16")` out\n\n- written by block "cast"',
              "L[vi, vj],": 'Buffer.\n\n`L: T.Buffer((8, 8), "float32", scope="local")`\n\n- written by block "copy"\n- read by block "cast"'}
    for needle, said in wanted.items():
        found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(text, needle)))))
        assert found.contents.value.split("\n```\n")[1] == said, needle


async def test_the_definition_of_an_operator_is_its_page(client):
    text = '''from tvm.script import relax as R

@R.function
def g(x: R.Tensor((4, 4), "float16")):
    y = R.nn.softmax(R.matmul(x, x), axis=1)
    return y
'''
    open_text(client, text)
    for needle, heading in (("softmax", "## R.nn.softmax"), ("matmul", "## R.matmul")):
        found = await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, place(text, needle, inside=2)))))
        page = pathlib.Path(urllib.parse.unquote(found.uri[len("file://"):])).read_text().split("\n")
        assert page[found.range.start.line] == heading
    assert not await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, place(text, "y = ", inside=2)))))


async def test_hover_of_functions_of_t_and_of_attributes_of_tensors(client):
    text = '''from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("b"):
                vi = T.axis.spatial(8, i)
                B[vi] = T.fmod(T.tanh(A[vi]), T.float32(2))

    @R.function
    def g(x: R.Tensor(("n", 4), "float16")):
        y = R.reshape(x, (x.shape[0], 2, x.ndim))
        z = R.astype(y, x.dtype)
        return z
'''
    open_text(client, text)
    wanted = {"fmod": "T.fmod(x, y)", "tanh": "T.tanh(x)", "shape[": "x.shape: (n, 4)",
              "ndim": "x.ndim: 2", "dtype)": 'x.dtype: "float16"'}
    for needle, said in wanted.items():
        found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(text, needle, inside=1)))))
        assert said in found.contents.value, needle


async def test_type_definition_of_a_call_is_in_the_function_called(client):
    text = TEXT.replace("        y = R.matmul(h, w)\n", "        y = cls.twin(w, h)\n") + '''

'''
    text = text.replace("    @R.function\n    def main", '''\
    @R.function
    def twin(a: R.Tensor((4, "n"), "float32"), b: R.Tensor(("m", 4), "float32")):
        return R.matmul(b, a)

    @R.function
    def main''')
    open_text(client, text)
    at = here(client, place(text, "cls.twin", inside=5))
    found = await ask(client.text_document_type_definition_async(t.TypeDefinitionParams(**at)))
    assert [place_.range.start for place_ in found] == [place(text, '(4, "n")', inside=5), place(text, '("m", 4)', inside=2)]
    at = here(client, place(text, "cls.twin"))
    [found] = await ask(client.text_document_type_definition_async(t.TypeDefinitionParams(**at)))
    assert found.range.start == place(text, "class Net", inside=6)


async def test_declaration_of_another_name_is_that_name(client):
    text = TEXT.replace("        return z\n", "        u = z\n        return u\n")
    open_text(client, text)
    at = here(client, place(text, "return u", inside=7))
    found = await ask(client.text_document_declaration_async(t.DeclarationParams(**at)))
    assert found.range.start == place(text, "u = z")


OUTSIDE = '''\
from tvm.script import ir as I, relax as R, tir as T

WIDTH = 4 * 16
LEVELS = (1,
          2)


def make(rows):
    @I.ir_module
    class Net:
        @R.function
        def twice(x: R.Tensor((rows, WIDTH), "float32")):
            return R.add(x, x)

        @R.function
        def main(x: R.Tensor((rows, WIDTH), "float32")):
            net = Net
            y = R.sum(x, axis=LEVELS)
            return net.twice(x)
    return Net
'''


async def test_hover_of_what_python_binds(client):
    """Constants around functions, and the name that a function has for its module, are told by the statement that binds them."""
    open_text(client, OUTSIDE)
    wanted = {"WIDTH), \"float32\")):\n            net": ("WIDTH = 4 * 16", "line 3"), "LEVELS)": ("LEVELS = (1, …", "line 4"),
              "net.twice": ("net = Net", "line 17"), "WIDTH =": ("WIDTH = 4 * 16", "line 3")}
    for needle, (statement, line) in wanted.items():
        found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(OUTSIDE, needle)))))
        assert statement in found.contents.value and line in found.contents.value, (needle, found)
