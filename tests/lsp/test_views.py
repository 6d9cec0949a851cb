"""Code lenses, and the views of what a function becomes."""
import asyncio
import subprocess
from xml.etree import ElementTree

import pytest
from lsprotocol import types as t

from session import RLX, ROOT, ask, open_text, until

SCRIPT = '''\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def twice(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                b[vi] = a[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), i: R.Tensor((), "int32")):
        with R.dataflow():
            lv = R.exp(x)
            gv = R.add(lv, x)
            R.output(gv)
        return gv

    @R.function
    def sized(x: R.Tensor(("n", 3), "float32")):
        gv = R.nn.relu(x)
        return gv

    @R.function
    def constant():
        gv = R.ones((2,), "float32")
        return gv
'''
HAS_LLVM = any((ROOT / "build").glob("librlx-llvm.so"))
# To compile it takes many times as long as to ask something meanwhile, on any machine; no test waits for its end.
LONG = "from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass Module:\n" + "".join(f'''\
    @R.function
    def f{i}(x: R.Tensor(("n", {i + 8}), "float32")):
        y = R.nn.softmax(R.matmul(x, R.permute_dims(x)))
        return R.matmul(y, x)

''' for i in range(200))


async def view(client, name, function=None, **more):
    argument = {"uri": client.uri, **({"function": function} if function else {}), **more}
    answer = await ask(client.workspace_execute_command_async(t.ExecuteCommandParams(f"rlx.view.{name}", [argument])))
    return answer["text"] if isinstance(answer, dict) else answer.text


async def lenses(client):
    found = await ask(client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(client.uri))))
    return [lens for lens in found if lens.command]  # those that count uses are resolved when they are seen


async def test_lenses(client):
    assert client.init_result.capabilities.code_lens_provider
    open_text(client, SCRIPT)
    found = await lenses(client)
    by_function = {}
    for lens in found:
        uri, function, *inputs = lens.command.arguments
        assert uri == client.uri
        by_function.setdefault(function, []).append((lens.command.title, lens.command.command, *inputs))
        assert SCRIPT.split("\n")[lens.range.start.line].strip().startswith(f"def {function}(")
    assert by_function == {
        "twice": [("run with inputs…", "rlx.runFunction"), ("Schedule…", "rlx.schedule.open"), ("TIR", "rlx.showTir")],
        "main": [("evaluate", "rlx.runFunction", "x=2x3:float32:random(1) i=scalar:int32:random(2)"), ("run with inputs…", "rlx.runFunction"),
                 ("normal form", "rlx.showNormalForm"), ("TIR", "rlx.showTir")],
        "sized": [("run with inputs…", "rlx.runFunction"), ("normal form", "rlx.showNormalForm"), ("TIR", "rlx.showTir")],
        "constant": [("evaluate", "rlx.runFunction", ""), ("normal form", "rlx.showNormalForm"), ("TIR", "rlx.showTir")],
    }


@pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")
async def test_inputs_of_evaluate_are_those_of_run(client, tmp_path):
    open_text(client, SCRIPT)
    inputs = next(lens.command.arguments[2] for lens in await lenses(client) if lens.command.arguments[1] == "main")
    path = tmp_path / "model.py"
    path.write_text(SCRIPT)
    done = subprocess.run([RLX, "run", f"{path}::main", *inputs.split()], capture_output=True, text=True)
    assert done.returncode == 0 and "# R.Tensor((2, 3)" in done.stdout, done.stderr


async def test_no_lens_outside_scripts(client):
    open_text(client, "def main():\n    return 1\n")
    assert not await lenses(client)


async def test_graph(client):
    open_text(client, SCRIPT)
    dot = await view(client, "graph", "main")
    assert dot.startswith('digraph "main"') and "R.exp" in dot and "sized" not in dot
    assert (await view(client, "graph")).count("digraph") == 3
    for function in ("twice", "nowhere"):
        with pytest.raises(Exception, match="names no"):
            await view(client, "graph", function)


async def test_graph_as_a_picture(client):
    text = SCRIPT.replace("constant", "größe")
    open_text(client, text)
    picture = ElementTree.fromstring(await view(client, "graph", "main", form="svg"))
    words = ["".join(node.itertext()) for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "lv = R.exp" in words and 'R.Tensor((2, 3), dtype="float32")' in words
    whole = ElementTree.fromstring(f'<all>{await view(client, "graph", form="svg")}</all>')
    assert [one.find("{http://www.w3.org/2000/svg}title").text for one in whole] == ["main", "sized", "größe"]
    assert (await view(client, "graph", form="dot")).startswith("digraph")
    with pytest.raises(Exception, match="neither dot nor svg"):
        await view(client, "graph", form="png")


@pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")
async def test_compiled(client):
    open_text(client, SCRIPT)
    tir = await view(client, "tir", "main")
    assert "T.prim_func" in tir and "T.exp(" in tir and "relu" not in tir
    assert "define " in await view(client, "llvm", "main")
    assert "ret" in await view(client, "asm", "twice")
    whole = await view(client, "tir")
    assert [line for line in whole.split("\n") if line in ("# twice", "# main", "# sized", "# constant")] == ["# twice", "# main", "# sized", "# constant"]


@pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")
async def test_what_cannot_be_compiled(client):
    open_text(client, SCRIPT.replace("R.exp(x)", "R.nowhere(x)"))
    with pytest.raises(Exception):
        await view(client, "tir", "main")
    whole = await view(client, "llvm")
    assert "; error: " in whole and "define " in whole
    assert await lenses(client)  # and the server goes on


async def test_wrong_arguments(client):
    open_text(client, SCRIPT)
    for command, arguments in (("rlx.view.tir", []), ("rlx.view.tir", [3]), ("rlx.view.tir", [{"uri": "file:///nowhere"}]), ("rlx.nothing", [{"uri": client.uri}])):
        with pytest.raises(Exception, match="params"):
            await ask(client.workspace_execute_command_async(t.ExecuteCommandParams(command, arguments)))


async def test_the_whole_derivation(client):
    open_text(client, SCRIPT)
    lines = SCRIPT.split("\n")
    line = next(i for i, text in enumerate(lines) if "gv = R.add" in text)
    why = await view(client, "why", position={"line": line, "character": lines[line].index("gv")})
    assert "R.add" in why and "x1 = lv" in why and "R.exp" in why and "parameter x" in why
    with pytest.raises(Exception, match="stands here"):
        await view(client, "why", position={"line": 1, "character": 0})


async def test_the_script_in_another_dialect(client):
    open_text(client, SCRIPT)
    assert "T.sblock" in await view(client, "dialect", to="0.25")
    assert await view(client, "dialect", to="classic") == SCRIPT
    with pytest.raises(Exception, match="classic, 0.25 or 0.27"):
        await view(client, "dialect", to="3.14")


@pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")
async def test_an_edit_ends_a_compilation(client):
    open_text(client, LONG)
    client.progress_reports["mine"] = []
    asked = asyncio.ensure_future(client.workspace_execute_command_async(
        t.ExecuteCommandParams("rlx.view.asm", [{"uri": client.uri}], work_done_token="mine")))
    await until(lambda: client.progress_reports["mine"])
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri), [t.TextDocumentContentChangeWholeDocument(LONG + "\n")]))
    with pytest.raises(Exception, match="changed"):
        await ask(asked)
    assert (await view(client, "graph")).startswith("digraph")
