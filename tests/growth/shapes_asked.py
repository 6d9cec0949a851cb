"""Shapes of input that cost when something is asked of them, and of traces of schedules: more rows of shapes.SHAPES."""
import json

from shapes import HEAD, MODULE, PRIM, lines, shape
from shapes_many import function


# ---- what is asked of a text

@shape(2000, ("messages",))
def places_inside_of_brackets(n):  # each has hundreds of ranges around it
    text = function("        y = " + "R.add(" * 150 + "x" + ", x)" * 150 + "\n")
    document = {"uri": "file:///b.py", "languageId": "python", "version": 1, "text": text}
    return [json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
            json.dumps({"jsonrpc": "2.0", "id": 7, "method": "textDocument/selectionRange", "params": {
                "textDocument": {"uri": "file:///b.py"}, "positions": [{"line": 5, "character": 12 + 6 * 150}] * n}})]


@shape(200000)
def dots_of_a_decorator(n):
    return HEAD + "@a" + ".b" * n + "\ndef f(x): pass\n"


@shape(100000)
def wide_result_of_many_calls(n):  # inlining all of them would write it as often
    return MODULE + "    @R.function\n    def main(x: R.Tensor((2,), 'float32')):\n        return (" + "x, " * n + ")\n" + (
        "    @R.function\n    def other(x: R.Tensor((2,), 'float32')):\n" + "        y = M.main(x)\n" * 50 + "        return y\n")


@shape(8000)
def imports_of_one_module(n):
    return HEAD + lines(n, "import math\na{i} = math.gcd({i}, 6) + math.gcd({i}, 8)\n")


# ---- steps of a trace

ONE_BLOCK = HEAD + PRIM + '    for i in range(64):\n        with T.block("b"):\n            v = T.axis.spatial(64, i)\n            A[v] = B[v]\n'
LOOPS = 'b = sch.get_block("b")\nl0, = sch.get_loops(b)\n'


@shape(20000, ("files",))
def handles_of_a_json_step(n):
    steps = [["GetBlock", [], ["b", "main"], ["v0"]], ["Fuse", ["v0"] * n, [1], ["l"]]]
    return {"a.py": ONE_BLOCK, "t.json": json.dumps([[*steps], [[i, [1]] for i in range(n)]]), "args": ["schedule", "a.py", "t.json"]}


@shape(12000, ("files",))
def trace_of_a_project(n):  # a check goes no further than its limit
    return {"a.py": ONE_BLOCK, "t.py": LOOPS + lines(n, "l{i}, m{i} = sch.split(l{p}, factors=[None, 1])\n"),
            "rlx.toml": '[schedules]\n"a.py" = ["t.py"]\n', "args": ["check", "a.py"]}
