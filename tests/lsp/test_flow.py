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


OUTPUTS = '''\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                b[vi] = a[vi]
                c[vi] = a[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        pair = R.call_tir(cls.both, (x,), out_sinfo=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        first = pair[0]
        last = pair[1]
        other = last
        a = R.add(R.exp(x), first)
        b = R.multiply(R.sin(other), R.cos(first))
        c = (pair, a)
        return (c[0][1], b)
'''


def spelled(ranges):
    lines = OUTPUTS.split("\n")
    return [f"{r.start.line}:" + lines[r.start.line][r.start.character:r.end.character] for r in ranges]


async def item_at(client, needle, word):
    line = next(i for i, text in enumerate(OUTPUTS.split("\n")) if text.strip().startswith(needle))
    column = OUTPUTS.split("\n")[line].index(word)
    [item] = await client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(
        t.TextDocumentIdentifier(client.uri), t.Position(line, column)))
    return item


async def test_which_output_and_where(client):
    open_text(client, OUTPUTS)
    pair = await item_at(client, "pair =", "pair")
    assert pair.detail.startswith("R.Tuple(R.Tensor((4,)")
    incoming = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(pair))
    assert [(i.from_.name, (i.from_.detail or "").split(" · ")[-1], spelled(i.from_ranges)) for i in incoming] == [
        ("a", "output 0", ["20:first"]), ("R.sin", "output 1", ["21:other"]), ("R.cos", "output 0", ["21:first"]),
        ("return", "output 1", ["23:return (c[0][1], b)"])]
    a = incoming[0].from_
    outgoing = await client.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(a))
    assert [(o.to.name, (o.to.detail or "").split(" · ")[-1], spelled(o.from_ranges)) for o in outgoing] == [
        ("R.exp", 'R.Tensor((4,), dtype="float32")', ["20:R.exp(x)"]), ("pair", "output 0", ["20:first"])]
    for call in outgoing:  # places in the item that was asked about
        assert all(a.range.start <= r.start and r.end <= a.range.end for r in call.from_ranges)


async def test_nested_calls_are_items(client):
    open_text(client, OUTPUTS)
    x = await item_at(client, "def main", "x:")
    incoming = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(x))
    assert [(i.from_.name, spelled(i.from_ranges)) for i in incoming] == [("pair", ["16:x"]), ("R.exp", ["20:x"])]
    beyond = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(incoming[1].from_))
    assert [(i.from_.name, spelled(i.from_ranges)) for i in beyond] == [("a", ["20:a"])]
    made = await client.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(incoming[1].from_))
    assert not made


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
