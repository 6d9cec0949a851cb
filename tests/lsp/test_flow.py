"""Call hierarchy, implementation, definition of aliases, linked editing, rename over branches."""
import pytest
from lsprotocol import types as t

from session import edits_in, open_text

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)

SCRIPT = '''\
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        gv = R.nn.relu(x)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        a = Module.helper(x)
        b = a
        t = (b, x)
        u = t[0]
        if c:
            z = R.exp(u)
        else:
            z = R.add(u, x)
        y = R.reshape(z, (n * 4,))
        return y
'''
LINES = SCRIPT.split("\n")


def place(line_start, word, skip=0):
    line = next(i for i, text in enumerate(LINES) if text.strip().startswith(line_start))
    return t.Position(line, LINES[line].index(word, skip))


def at(client, line_start, word, skip=0):
    return {"text_document": t.TextDocumentIdentifier(client.uri), "position": place(line_start, word, skip)}


def line_of(item):
    return LINES[item.range.start.line].strip()


async def test_functions(client):
    open_text(client, SCRIPT)
    [item] = await client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(**at(client, "def helper", "helper")))
    assert item.name == "helper" and item.kind == t.SymbolKind.Function
    [call] = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(item))
    assert call.from_.name == "main" and [LINES[r.start.line].strip() for r in call.from_ranges] == ["a = Module.helper(x)"]
    [out] = await client.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(call.from_))
    assert out.to.name == "helper"


async def test_variables(client):
    open_text(client, SCRIPT)
    [item] = await client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(**at(client, "a = ", "a")))
    incoming = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(item))
    assert [line_of(i.from_) for i in incoming] == ["z = R.exp(u)", "z = R.add(u, x)"]
    [made] = await client.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(incoming[0].from_))
    assert line_of(made.to) == "a = Module.helper(x)"


async def test_where_a_value_is_made(client):
    open_text(client, SCRIPT)
    [found] = await client.text_document_implementation_async(t.ImplementationParams(**at(client, "z = R.exp", "u")))
    assert LINES[found.range.start.line].strip() == "a = Module.helper(x)"
    [found] = await client.text_document_definition_async(t.DefinitionParams(**at(client, "u = ", "u")))
    assert LINES[found.range.start.line].strip() == "a = Module.helper(x)"
    found = await client.text_document_definition_async(t.DefinitionParams(**at(client, "z = R.exp", "u")))
    assert LINES[found.range.start.line].strip() == "u = t[0]"


async def test_linked_editing(client):
    open_text(client, SCRIPT)
    linked = await client.text_document_linked_editing_range_async(t.LinkedEditingRangeParams(**at(client, "n = T", "n")))
    assert [r.start.line for r in linked.ranges] == [11, 12, 21]
    assert await client.text_document_linked_editing_range_async(t.LinkedEditingRangeParams(**at(client, "a = ", "a"))) is None


async def test_rename_over_branches(client):
    open_text(client, SCRIPT)
    edit = await client.text_document_rename_async(t.RenameParams(new_name="w", **at(client, "y = ", "z")))
    assert sorted(e.range.start.line for e in edits_in(edit, client.uri)) == [18, 20, 21]
