"""Refactorings that would change what a script means are refused, with the reason."""
import pytest
from lsprotocol import types as t

from session import ask, diagnostics, here, offered, open_text, place

# From 0.26 on `rows = T.int64(6)` in a body is a scalar of the body, and the signature's `rows` another thing.
OWN_SCALAR = '''\
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def sized(x: R.Tensor(("rows", 3), "float32"), a: R.Any):
        rows = T.int64(6)
        y = R.zeros((rows, 3), "float32")
        return y

    @R.function
    def main(x: R.Tensor((7, 3), "float32"), a: R.Any):
        cls = Module
        z = cls.sized(x, a)
        return z
'''


async def actions(client, text, start, end):
    open_text(client, text)
    await diagnostics(client)
    params = t.CodeActionParams(text_document=t.TextDocumentIdentifier(client.uri), range=t.Range(start, end),
                                context=t.CodeActionContext(diagnostics=[]))
    return {one.title: one for one in await offered(client, params)}


def refused(client, found, title, says):
    """With its reason where the client takes disabled actions, else not at all."""
    if client.capabilities.text_document.code_action.disabled_support:
        assert says in found[title].disabled.reason
    else:
        assert title not in found


@pytest.mark.parametrize("needle, title", [("sized(x, a)\n", "inline function `sized`"), ("sized(x: R", "inline all calls of function `sized`")])
async def test_a_scalar_of_the_body_is_not_taken_for_the_signatures(client, needle, title):
    at = place(OWN_SCALAR, needle)
    refused(client, await actions(client, OWN_SCALAR, at, at), title, "`rows` is a dimension of a signature and something else")


async def test_the_callers_scalar_is_not_taken_for_its_signatures(client):
    text = OWN_SCALAR.replace("        rows = T.int64(6)\n", "").replace("R.zeros((rows, 3), ", "R.reshape(x, (rows, 3)").replace('(rows, 3)"float32")', "(rows, 3))")
    text = text.replace('x: R.Tensor((7, 3)', 'x: R.Tensor(("n", 3)').replace("cls = Module\n", "cls = Module\n        n = T.int64(2)\n")
    at = place(text, "sized(x, a)\n")
    refused(client, await actions(client, text, at, at), "inline function `sized`", "`n` is a dimension of a signature and something else")


async def test_what_gives_less_is_not_extracted(client):
    start = place(OWN_SCALAR, "y = R.zeros")
    found = await actions(client, OWN_SCALAR, start, t.Position(start.line + 1, 0))
    refused(client, found, "extract function `sized_part`", "known to give less")
