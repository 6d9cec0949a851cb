"""Fixes in the editor: one by one, and all safe ones at once."""
from lsprotocol import types as t

from session import applied, ask, open_text, place

SCRIPT = '''\
from tvm.script import relax as R, tirx as T


@T.prim_func
def p(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("ä"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.float32(0)


@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
    y = R.sqrtt(x)
    z = R.sqr(y)  # rlx: ignore[RLX0203]
    return x
'''


async def actions(client, text, needle, *only):
    at = place(text, needle)
    context = t.CodeActionContext(diagnostics=[], only=list(only) or None)
    return await ask(client.text_document_code_action_async(t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), context))) or []


async def test_fix_all_takes_safe_fixes_of_what_is_shown(client):
    open_text(client, SCRIPT)
    for only in ("source.fixAll.rlx", "source.fixAll", "source"):
        found = await actions(client, SCRIPT, "from", only)
        assert [a.kind for a in found] == ["source.fixAll.rlx"]
        text = applied(SCRIPT, found[0].edit.changes[client.uri])
        wanted = SCRIPT.replace("T.block", "T.sblock").replace("@T.prim_func", "@T.prim_func(s_tir=True)").replace("sqrtt", "sqrt")
        assert text == wanted  # the return annotation is not changed, nor what a comment hides
    assert not await actions(client, SCRIPT, "from", "source.fixAll.other")
    assert not [a for a in await actions(client, SCRIPT, "from") if a.kind == "source.fixAll.rlx"]  # only for those who ask
    open_text(client, wanted, version=2)
    assert not await actions(client, wanted, "from", "source.fixAll")


async def test_unsafe_fixes_are_never_preferred(client):
    open_text(client, SCRIPT)
    unsafe = await actions(client, SCRIPT, "x\n", "quickfix")
    assert [(a.title, a.is_preferred) for a in unsafe] == [("declare what is returned", None)]
    safe = await actions(client, SCRIPT, "sqrtt", "quickfix")
    assert [a.is_preferred for a in safe] == [True]
