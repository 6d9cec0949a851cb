"""Shapes of input that are many or deep in one of the language's parts, in configurations, arrays, traces and messages: more rows of
shapes.SHAPES."""
import io
import json
import struct
import zipfile

from shapes import HEAD, MODULE, PRIM, TIR, lines, main, npy, shape

FLOAT = 'R.Tensor((4,), "float32")'
FUNCTION = f"    @R.function\n    def main(x: {FLOAT}):\n"
ALL = ("check", "normalize", "infer", "print", "server")


def function(body, result="x"):
    return MODULE + FUNCTION + body + f"        return {result}\n"


# ---- decorators, classes, imports, words

@shape(5000, ALL)
def decorators_of_one_function(n):
    return HEAD + lines(n, "@a{i}\n") + f"@R.function\ndef main(x: {FLOAT}):\n    return x\n"


@shape(5000, ALL)
def keywords_of_a_decorator(n):
    return HEAD + "@R.function(" + ", ".join(f"a{i}={i}" for i in range(n)) + f")\ndef main(x: {FLOAT}):\n    return x\n"


@shape(1000, ALL)
def classes(n):
    return HEAD + lines(n, f"@I.ir_module\nclass M{{i}}:\n    @R.function\n    def main(x: {FLOAT}):\n        return R.add(x, x)\n")


@shape(1000, ALL)
def bases_and_methods(n):
    return HEAD + lines(n, "class M{i}(nn.Module, M{p}):\n    def __init__(self, x):\n        self.a{i} = x\n    def forward(self, x):\n        return self.a{i}(x)\n")


@shape(5000, ALL)
def imports_with_other_names(n):
    return lines(n, "import a{i}.b as c{i}\n") + lines(n, "from d{i} import e{i} as f{i}, g{i}\n") + main("        y = R.add(x, c1)\n", "y")


@shape(10000, ALL)
def imports_of_one_line(n):
    return "from a import (" + ", ".join(f"b{i}" for i in range(n)) + ")\n" + main("        y = R.add(x, b1)\n", "y")


@shape(200000, ALL)
def long_words(n):
    """A name, a string, a comment and a number that are long."""
    return function(f"        {'a' * n} = R.add(x, x)\n        # {'b ' * n}\n        s = \"{'c' * n}\"\n        t = R.add(x, R.const({'1' * n}))\n", "a" * n)


@shape(2000, ALL)
def long_names_that_differ_late(n):
    return function(lines(n, f"        {'a' * 200}{{i}} = R.add({'a' * 199}b{{i}}, x)\n"))


@shape(20000, ALL)
def joined_strings(n):
    return function("        y = R.call_packed(" + '"a" ' * n + f", x, sinfo_args={FLOAT})\n", "y")


@shape(2000, ALL)
def formatted_strings(n):
    return HEAD + lines(n, "s{i} = f'{{{{a}}}} {{s{p}!r:>{{w}}}} {i}'\n") + function("", "x")


@shape(10000, ALL)
def continued_lines(n):
    return function("        y = R.add(x, \\\n" + "            \\\n" * n + "            x)\n", "y")


@shape(200000, ALL)
def blank_lines(n):
    return function("        y = R.add(x, x)\n" + "   \n\t\n\f\n" * n, "y")


@shape(5000, ALL)
def open_strings(n):
    """What is a string hangs on all quotes above."""
    return function(lines(n, "        y{i} = R.add(x, \"\"\" ')\n"))


@shape(20000, ALL)
def closing_brackets_of_lines(n):
    return function(lines(n, "        y{i} = R.add(x, x)])}}\n"))


@shape(20000, ALL)
def question_marks(n):
    return function("        y = " + "? " * n + "\n")


# ---- expressions

@shape(400, ALL)
def conditional_expressions(n):
    nest = "".join("(x if c else " for _ in range(90))
    return function("        c = True\n" + lines(n, "        y{i} = R.add(x, " + nest + "x" + ")" * 90 + ")\n"))


@shape(5000, ALL)
def conditional_chain(n):
    return function("        y = x" + " if c else x" * n + "\n", "y")


@shape(900, ALL)
def operators_in_a_row(n):
    return function("        y = x" + " + x" * n + "\n        z = " + "-" * n + "x\n        a = x" + " * x" * n + "\n", "a")


@shape(2000, ALL)
def attributes_in_a_row(n):
    return function("        y = x" + ".a" * n + "\n        z = x" + "[0]" * n + "\n        a = f" + "()" * n + "\n")


@shape(5000, ALL)
def comparisons_in_a_row(n):
    return function("        n = T.int64()\n        y = R.assert_op(n" + " < n" * n + ")\n")


@shape(2000, ALL)
def lambdas(n):
    return HEAD + lines(n, "f{i} = lambda a, b={i}: (lambda c: f{p}(a, b, c))(a)\n") + function(lines(n, "        y{i} = f{i}(x)\n"))


@shape(300, ALL)
def comprehensions(n):
    return HEAD + lines(n, "l{i} = [[a * b + {i} for a in range(4) if a] for b in range(4)]\n") + function(
        lines(n, "        y{i} = R.reshape(x, [k for k in l{i}[0]])\n"))


@shape(300, ALL)
def nested_comprehensions(n):
    deep = "0"
    for i in range(40):
        deep = f"[{deep} for a{i} in range(2)]"
    return HEAD + lines(n, f"l{{i}} = {deep}\n") + function("        y = R.reshape(x, l1)\n")


@shape(300, ALL)
def deep_annotations(n):
    deep = "R.Tuple(" * 90 + FLOAT + ")" * 90
    return MODULE + lines(n, f"    @R.function\n    def f{{i}}(x: {deep}) -> {deep}:\n        y: {deep} = x\n        return y\n")


@shape(300, ALL)
def callables_of_callables(n):
    deep = "R.Callable((" * 40 + FLOAT + ",), R.Object)" * 40
    return MODULE + lines(n, f"    @R.function\n    def f{{i}}(x: {deep}):\n        y: {deep} = x\n        return y\n")


@shape(10000, ALL)
def attributes_of_a_function(n):
    return function("        R.func_attr({" + ", ".join(f'"a{i}": {i}' for i in range(n)) + "})\n")


# ---- bodies

@shape(2000, ALL)
def dataflow_blocks_one_after_the_other(n):
    return function("        y0 = x\n" + lines(n, "        with R.dataflow():\n            a{i} = R.add(y{p}, x)\n            y{i} = R.multiply(a{i}, a{i})\n"
                                                  "            R.output(y{i})\n"), f"y{n}")


@shape(2000, ALL)
def casts_of_one_name(n):
    return MODULE + '    @R.function\n    def main(x: R.Tensor(ndim=2)):\n' + lines(
        n, '        x = R.match_cast(x, R.Tensor((n{i}, m{i}), "float32"))\n') + "        return x\n"


@shape(2000, ALL)
def casts_that_tie_dimensions(n):
    return MODULE + '    @R.function\n    def main(x: R.Tensor(ndim=2), z: R.Object):\n' + lines(
        n, '        y{i} = R.match_cast(z, R.Tensor((n{i}, n{p} + n{i} * 2), "float32"))\n') + "        return x\n"


@shape(400, ALL)
def symbolic_products(n):
    return MODULE + ('    @R.function\n    def main(x: R.Tensor(("a", "b", "c", "d"), "float32")):\n        a = T.int64()\n        b = T.int64()\n'
                     "        c = T.int64()\n        d = T.int64()\n") + lines(
                         n, '        y{i} = R.zeros((a * b * {i}, c * d + a * {i}, (a + b) * (c + {i})), "float32")\n'
                            "        z{i} = R.flatten(y{i})\n        w{i} = R.reshape(z{i}, (-1, a, b))\n") + "        return x\n"


@shape(300, ALL)
def quotients_of_quotients(n):
    deep = "a"
    for k in (2, 3, 5, 7, 11, 13) * 5:
        deep = f"({deep} // {k} % {k + 90})"
    return MODULE + '    @R.function\n    def main(x: R.Tensor(("a",), "float32")):\n        a = T.int64()\n' + lines(
        n, f'        y{{i}} = R.add(R.zeros(({deep} + {{i}},), "float32"), R.zeros(({deep} + a,), "float32"))\n') + "        return x\n"


@shape(300, ALL)
def functions_in_functions(n):
    body, indent = "", "        "
    for k in range(20):
        body += f"{indent}@R.function\n{indent}def g{k}(y{k}: {FLOAT}) -> {FLOAT}:\n"
        indent += "    "
    body += f"{indent}return R.add(x, y0)\n"
    for k in reversed(range(20)):
        indent = indent[:-4]
        body += f"{indent}r{k} = g{k}(x)\n{indent}return r{k}\n" if k else f"{indent}r0 = g0(x)\n{indent}return r0\n"
    return MODULE + lines(n, f"    @R.function\n    def f{{i}}(x: {FLOAT}):\n" + body)


@shape(400, ALL)
def branches_in_branches(n):
    body, indent = "", "        "
    for k in range(12):
        body += f"{indent}if c:\n{indent}    a{k} = R.add(x, x)\n{indent}    r{k} = a{k}\n{indent}else:\n"
        indent += "    "
    body += f"{indent}r = x\n"
    return MODULE + lines(n, f'    @R.function\n    def f{{i}}(x: {FLOAT}, c: R.Tensor((), "bool")):\n' + body + "        return x\n")


@shape(3000, ALL)
def calls_in_a_circle(n):
    return MODULE + lines(n, f"    @R.function\n    def f{{i}}(x: {FLOAT}) -> {FLOAT}:\n        cls = M\n        y = cls.f{{p}}(x)\n        return y\n") + (
        f"    @R.function\n    def f0(x: {FLOAT}) -> {FLOAT}:\n        cls = M\n        y = cls.f{n}(x)\n        return y\n")


@shape(3000, ALL)
def calls_without_result_types(n):
    """What a function returns hangs on all those that it calls."""
    return MODULE + f"    @R.function\n    def f0(x: {FLOAT}):\n        return R.add(x, x)\n" + lines(
        n, f"    @R.function\n    def f{{i}}(x: {FLOAT}):\n        cls = M\n        y = cls.f{{p}}(x)\n        return y\n")


# ---- PrimFuncs

@shape(30, TIR + ("normalize",))
def deep_statements(n):
    text, indent = "", "    "
    for k in range(90):
        text += indent + (f"if A[{k % 64}] > T.float32({k}):\n" if k % 2 else f"while A[{k % 64}] > T.float32({k}):\n")
        indent += " "
    return HEAD + lines(n, PRIM.replace("def f(", "def f{i}(") + text + indent + "A[0] = B[0]\n")


@shape(30, TIR)
def deep_values(n):
    deep = "A[0]"
    for k in range(60):
        deep = f"T.max({deep}, B[{k % 64}])" if k % 2 else f"T.if_then_else({deep} > T.float32(0), B[1], A[{k % 64}])"
    return HEAD + lines(n, PRIM.replace("def f(", "def f{i}(") + f"    A[1] = {deep}\n")


@shape(30, TIR)
def indices_in_indices(n):
    deep = "0"
    for _ in range(60):
        deep = f"I[{deep}]"
    return HEAD + lines(n, "@T.prim_func\ndef f{i}(I: T.Buffer((64,), 'int32')):\n    for i in range(4):\n        I[i] = " + deep + "\n")


@shape(2000, TIR)
def views(n):
    return HEAD + PRIM + lines(n, "    C{i} = T.Buffer((64,), \"float32\", data=A.data)\n    C{i}[0] = B[{i} % 64]\n")


@shape(2000, TIR)
def buffers_of_a_function(n):
    return HEAD + "@T.prim_func\ndef f(" + ", ".join(f"a{i}: T.handle" for i in range(n)) + "):\n    m = T.int32()\n" + lines(
        n - 1, "    A{i} = T.match_buffer(a{i}, (m + {i},), \"float32\")\n    A{i}[0] = T.float32(0)\n")


# ---- files and messages

@shape(200, ("files",))
def splits_of_a_trace(n):
    script = HEAD + PRIM + '    for i in range(64):\n        with T.block("b"):\n            v = T.axis.spatial(64, i)\n            A[v] = B[v]\n'
    return {"a.py": script, "t.py": 'b = sch.get_block("b")\n' + lines(n, 'l, = sch.get_loops(b)\nsch.annotate(l, "k{i}", {i})\nsch.unannotate(l, "k{i}")\n'),
            "args": ["schedule", "--no-text", "a.py", "t.py"]}


@shape(5000, ("files",))
def deep_tables(n):
    """As deep as a table may be, many times."""
    return {"rlx.toml": "".join(f"[a{i}{'.b' * 60}]\nc.d.e = {{f = {{g = {i}}}}}\n" for i in range(n // 60)), "a.py": "x = 1\n", "args": ["check", "a.py"],
            "code": (2,)}


@shape(2000, ("files",))
def per_file_rules(n):
    return {"rlx.toml": "[per-file-ignores]\n" + "".join(f'"**/a*{i}/b?{i}.py" = ["RLX0201"]\n' for i in range(n)), "a.py": main(
        lines(200, "        y{i} = R.add(x, z{i})\n")), "args": ["check", "a.py"]}


@shape(2000, ("files",))
def members_of_an_archive(n):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for i in range(n):
            z.writestr(f"a{i}.npy", npy((4,), b"\0" * 16))
    return {"a.npz": out.getvalue(), "input": 'w = load("a.npz")\nw["a1"]\n', "args": ["repl", "--no-history"], "code": (0,)}


@shape(2000, ("files",))
def tensors_at_the_prompt(n):
    head = json.dumps({f"t{i}": {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]} for i in range(n)}).encode()
    return {"a.safetensors": struct.pack("<Q", len(head)) + head + b"\0" * (4 * n), "input": 'w = load("a.safetensors")\nw["t1"]\n',
            "args": ["repl", "--no-history"], "code": (0,)}


@shape(300, ("files",))
def entries_at_the_prompt(n):
    return {"input": "".join(f"a{i} = {i} + 1\n" for i in range(n)), "args": ["repl", "--no-history"], "code": (0,)}


@shape(50, ("files",))
def functions_at_the_prompt(n):
    return {"input": "".join(f'@R.function\ndef f{i}(x: R.Tensor((4,), "float32")):\n    return R.add(x, x)\n\n' for i in range(n)),
            "args": ["repl", "--no-history"], "code": (0,)}


@shape(50000, ("files",))
def list_at_the_prompt(n):
    return {"input": "x = [" + ", ".join(str(i) for i in range(n)) + "]\nx\n", "args": ["repl", "--no-history"], "code": (0,)}


def notebook(n):
    uri = "file:///n.ipynb"
    cells = [{"kind": 2, "document": f"{uri}#{i}"} for i in range(n)]
    texts = [{"uri": f"{uri}#{i}", "languageId": "python", "version": 1, "text": f"a{i} = {i}\n"} for i in range(n)]
    return {"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {
        "notebookDocument": {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}, "cellTextDocuments": texts}}


@shape(1000, ("messages",))
def cells(n):
    edit = {"jsonrpc": "2.0", "method": "notebookDocument/didChange", "params": {
        "notebookDocument": {"uri": "file:///n.ipynb", "version": 2}, "change": {"cells": {"textContent": [
            {"document": {"uri": f"file:///n.ipynb#{n // 2}", "version": 2},
             "changes": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "b"}]}]}}}}
    asked = {"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover", "params": {
        "textDocument": {"uri": f"file:///n.ipynb#{n - 1}"}, "position": {"line": 0, "character": 1}}}
    return [json.dumps(m) for m in (notebook(n), edit, asked)]


@shape(300, ("messages",))
def cells_put_in_one_by_one(n):
    def insert(i):
        new = f"file:///n.ipynb#n{i}"
        return {"jsonrpc": "2.0", "method": "notebookDocument/didChange", "params": {
            "notebookDocument": {"uri": "file:///n.ipynb", "version": i + 2}, "change": {"cells": {"structure": {
                "array": {"start": 0, "deleteCount": 0, "cells": [{"kind": 2, "document": new}]},
                "didOpen": [{"uri": new, "languageId": "python", "version": 1, "text": "b = 1\n"}]}}}}}
    return [json.dumps(notebook(3))] + [json.dumps(insert(i)) for i in range(n)]


@shape(20000, ("messages",))
def deep_settings(n):
    """JSON that is deep where it is looked at: in settings and in an edit."""
    return ['{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":' + '{"rlx":' * n + "1" + "}" * n + "}}",
            '{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.py","version":2},"contentChanges":' + "[" * n + "]" * n + "}}"]


@shape(2000, ("messages",))
def documents_opened_and_closed(n):
    def document(i): return {"uri": f"file:///b{i}.py", "languageId": "python", "version": 1, "text": main("        y = R.add(x, x)\n", "y")}
    return [json.dumps(m) for i in range(n) for m in (
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document(i)}},
        {"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": f"file:///b{i}.py"}}})]
