"""Selection ranges: each step is one that a person would make, each holds the one before, the last is the file."""
from lsprotocol import types as t

from session import ask, open_text

SCRIPT = '''\
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("rows", 4), "float32"), y: R.Object):
        if True:
            z = R.add(R.exp(x), R.const([1, 2], dtype="float32"))

            w = R.nn.relu(z)
        return z
'''
LINES = SCRIPT.split("\n")


async def steps(client, *needles):
    open_text(client, SCRIPT)
    places = []
    for needle in needles:
        at = SCRIPT.index(needle.replace("│", "")) + needle.index("│")
        places.append(t.Position(SCRIPT.count("\n", 0, at), at - SCRIPT.rfind("\n", 0, at) - 1))
    found = await ask(client.text_document_selection_range_async(t.SelectionRangeParams(t.TextDocumentIdentifier(client.uri), places)))
    assert len(found) == len(places)
    out = []
    for place, one in zip(places, found):
        shown = []
        inner = t.Range(place, place)
        while one:
            r = one.range
            assert (r.start, inner.end) <= (inner.start, r.end) and r != inner or r == inner == t.Range(place, place)
            shown.append(LINES[r.start.line][r.start.character:r.end.character] if r.start.line == r.end.line else f"{r.start.line}-{r.end.line}")
            inner, one = r, one.parent
        out.append(shown)
    return out


async def test_from_a_word_to_the_file(client):
    assert await steps(client, "R.exp(│x)", "float│32\"))\n", "\"ro│ws", "1│, 2") == [
        ["x", "R.exp(x)", 'R.exp(x), R.const([1, 2], dtype="float32")', 'R.add(R.exp(x), R.const([1, 2], dtype="float32"))',
         'z = R.add(R.exp(x), R.const([1, 2], dtype="float32"))', "8-10", "7-10", "7-11", "5-11", "3-11", "0-12"],
        ["float32", '"float32"', 'dtype="float32"', '[1, 2], dtype="float32"', 'R.const([1, 2], dtype="float32")',
         'R.exp(x), R.const([1, 2], dtype="float32")', 'R.add(R.exp(x), R.const([1, 2], dtype="float32"))',
         'z = R.add(R.exp(x), R.const([1, 2], dtype="float32"))', "8-10", "7-10", "7-11", "5-11", "3-11", "0-12"],
        ["rows", '"rows"', '("rows", 4)', '("rows", 4), "float32"', 'R.Tensor(("rows", 4), "float32")', 'x: R.Tensor(("rows", 4), "float32")',
         'x: R.Tensor(("rows", 4), "float32"), y: R.Object', "5-11", "3-11", "0-12"],
        ["1", "[1, 2]", '[1, 2], dtype="float32"', 'R.const([1, 2], dtype="float32")', 'R.exp(x), R.const([1, 2], dtype="float32")',
         'R.add(R.exp(x), R.const([1, 2], dtype="float32"))', 'z = R.add(R.exp(x), R.const([1, 2], dtype="float32"))', "8-10", "7-10", "7-11", "5-11", "3-11", "0-12"]]


async def test_a_line_between_statements(client):
    [found] = await steps(client, "\n│\n            w =")
    assert found == ["8-10", "7-10", "7-11", "5-11", "3-11", "0-12"]
