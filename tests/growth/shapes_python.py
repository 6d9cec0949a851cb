"""Shapes of input made of Python that TVMScript has little use for, of modules that name each other, and of what is unusually
wide, long or deep: more rows of shapes.SHAPES."""
import json

from shapes import HEAD, MODULE, PRIM, TIR, lines, main, shape
from shapes_many import ALL, FLOAT, FUNCTION, function

TIR_ALL = TIR + ("print", "normalize", "migrate --to=0.27")


# ---- Python

@shape(3000, ALL)
def nested_f_strings(n):
    """Values within values of formatted strings, as deep as they may be, and formats that are values."""
    return HEAD + lines(n, "s{i} = f\"{{f'{{f'{{x!r:>{{w}}}}'}}'}} {{{{ {{a[{i}]:{{b}}.{{c}}}} }}}}\"\n") + function("        y = R.add(x, x)\n").replace(HEAD, "")


@shape(100000, ALL)
def one_long_f_string(n):
    return function("        y = R.call_packed(f\"" + "{x}" * n + "\", x)\n")


@shape(3000, ALL)
def stars_of_calls(n):
    return function(lines(n, "        y{i} = R.concat(*(x, *[x], *(x,)), **{{'axis': {i}}}, **dict(a=1))\n"))


@shape(3000, ALL)
def stars_in_one_call(n):
    return function("        y = R.concat(" + "*(x,), " * n + "**{'axis': 0})\n        a, *b, c = (" + "x, " * n + ")\n")


@shape(3000, ALL)
def names_global_and_nonlocal(n):
    return function(lines(n, "        global g{i}, h{p}\n        nonlocal n{i}\n        g{i} = R.add(x, g{p})\n"))


@shape(2000, ALL)
def match_statements(n):
    return function(lines(n, "        match x:\n            case [R.Tensor(shape=(a{i}, *_)), {{'k': {i}, **r}}] | None if x:\n                y = x\n"
                             "            case _:\n                y = R.add(x, x)\n"))


@shape(2000, ALL)
def cases_of_one_match(n):
    return function("        match x:\n" + lines(n, "            case {i} | ({i}, _):\n                y = R.add(x, x)\n"))


@shape(1500, ALL)
def else_ifs_of_a_function(n):
    return MODULE + '    @R.function\n    def main(c: R.Tensor((), "bool"), x: ' + FLOAT + "):\n        if c:\n            y = x\n" + lines(
        n, "        elif c:\n            y = R.add(x, x)\n") + "        else:\n            y = x\n        return y\n"


@shape(3000, ALL)
def names_of_other_scripts(n):
    """Greek, Chinese, combining, wide and right-to-left letters, some of which Python folds into one name."""
    letters = ("α", "变量", "é", "e\u0301", "ﬁ", "𝐱", "م", "ℌ")
    return function("".join(f"        {letters[i % 8]}{i} = R.add(x, {letters[(i - 1) % 8] + str(i - 1) if i else 'x'})\n" for i in range(n)))


@shape(3000, ALL)
def tries_and_withs(n):
    return HEAD + lines(n, "try:\n    import a{i}\nexcept (E{i}, *F) as e:\n    a{i} = None\nfinally:\n    with open('f') as f, g(): pass\n") + function("        y = R.add(x, x)\n").replace(HEAD, "")


@shape(3000, ALL)
def walrus_yield_await(n):
    return function(lines(n, "        y{i} = R.add((w{i} := x), w{p})\n        yield y{i}\n        await w{i}\n        async for q in x: pass\n"))


@shape(5000, ALL)
def comments_of_types(n):
    return function(lines(n, "        y{i} = R.add(x, x)  # type: ignore[{i}]  # type: R.Tensor((4,), 'float32')  # noqa: E{i}\n"))


@shape(6000, ALL)
def odd_white_space(n):
    """Tabs, form feeds and lonely carriage returns, where Python takes them and where it does not."""
    return MODULE + "\t@R.function\n\tdef main(x: " + FLOAT + "):\n" + lines(n, "\t\ty{i} = R.add(x,\tx)\f\n\f\t\tz{i}\t=\tx\t\\\n\t\t\n") + "\t\treturn x\n"


@shape(6000, ALL)
def mixed_tabs_and_blanks(n):
    return function(lines(n, "        y{i} = R.add(x, x)\n\tz{i} = y{i}\n"))


@shape(2000, ALL)
def dictionaries_of_dictionaries(n):
    return HEAD + "c = {" + "".join(f"'k{i}': {{'a': [{i}, ({i}, -{i})], **d{i}}}, " for i in range(n)) + "}\n" + function(
        lines(n, "        y{i} = R.zeros((c['k{i}']['a'][0],), 'float32')\n")).replace(HEAD, "")


@shape(2000, ALL)
def slices_and_subscripts(n):
    return function(lines(n, "        y{i} = x[{i}:, ::-1, ..., None, x[{p}]]\n        z{i} = (x, x)[{i}][0][-1]\n"))


# ---- functions and modules

@shape(1000, ALL)
def mutual_recursion(n):
    return MODULE + "".join(
        f"    @R.function\n    def f{i}(x: {FLOAT}) -> {FLOAT}:\n        y: {FLOAT} = M.f{(i + 1) % n}(x)\n        z = M.f{(i * 7 + 3) % n}(y)\n        return z\n" for i in range(n))


@shape(1000, ALL)
def mutual_recursion_without_types(n):
    return MODULE + "".join(f"    @R.function\n    def f{i}(x):\n        y = M.f{(i + 1) % n}(x)\n        z = M.f{(i * 7 + 3) % n}(y)\n        return z\n" for i in range(n))


@shape(30, ALL)
def dataflow_in_dataflow(n):
    out = "".join("    " * k + f"        with R.dataflow():\n" + "    " * k + f"            y{k} = R.add(x, x)\n" for k in range(n))
    return function(out + "".join("    " * k + f"            R.output(y{k})\n" for k in reversed(range(n))))


@shape(1000, ALL)
def modules_that_use_the_last(n):
    return HEAD + lines(n, f"@I.ir_module\nclass M{{i}}:\n    @R.function\n    def f(x: {FLOAT}):\n        y = M{{p}}.f(x)\n        return y\n")


# ---- wide and long

@shape(30000, ALL)
def one_constant_of_many(n):
    return function("        y = R.const([" + "1.5, " * n + f'], "float32")\n        z: R.Tensor(({n},), "float32") = y\n')


@shape(300, ALL)
def constants_of_constants(n):
    return function(lines(n, "        y{i} = R.const([[" + "1, 2, " * 20 + "], [" + "3, 4, " * 20 + "]], 'int64')\n"))


@shape(2000, ALL)
def shape_of_many_dimensions(n):
    return function("        s = R.shape([" + "4, " * n + "])\n        y = R.zeros(s, 'float32')\n        z = R.add(y, y)\n        w = R.permute_dims(z)\n        v = R.reshape(w, (" + "4, " * n + "))\n")


@shape(1000, TIR_ALL)
def reads_and_writes_of_a_block(n):
    return HEAD + PRIM + "    for i in range(64):\n        with T.block('b'):\n            v = T.axis.spatial(64, i)\n            T.reads(" + ", ".join(
        f"A[(v + {i}) % 64:(v + {i}) % 64 + 1]" for i in range(n)) + ")\n            T.writes(" + ", ".join(f"B[v * {i} % 64]" for i in range(n)) + ")\n            B[v] = A[v]\n"


@shape(300, TIR_ALL)
def loops_of_one_grid(n):
    names = ", ".join(f"i{k}" for k in range(n))
    return HEAD + PRIM + f"    for {names} in T.grid({'2, ' * n}):\n        with T.block('b'):\n            {names.replace('i', 'v')} = T.axis.remap('{'S' * n}', [{names}])\n            B[v0] = A[v0]\n"


@shape(500, TIR_ALL)
def grids_in_a_row(n):
    return HEAD + PRIM + lines(n, "    for i, j, k, l in T.grid(2, 4, 8, {i}):\n        with T.block('b{i}'):\n            a, b, c, d = T.axis.remap('SSSR', [i, j, k, l])\n"
                                  "            with T.init():\n                B[a * 32 + b * 8 + c] = T.float32(0)\n            B[a * 32 + b * 8 + c] = B[a * 32 + b * 8 + c] + A[d % 64]\n")


@shape(300, TIR_ALL)
def matches_of_the_last_match(n):
    return HEAD + PRIM + "    with T.block('root'):\n        C0 = T.match_buffer(A[0:64], (64,), 'float32')\n" + lines(
        n, "        C{i} = T.match_buffer(C{p}[0:64], (64,), 'float32', offset_factor=1)\n") + f"        B[0] = C{n}[0]\n"


@shape(500, TIR_ALL)
def lets_in_lets(n):
    return HEAD + PRIM + "    B[" + "".join(f"T.Let(v{i} + {i}, where={{v{i}: " for i in range(min(n, 60))) + "0" + "})" * min(n, 60) + "] = T.float32(0)\n" + lines(
        n, "    B[T.Let(v + {i}, where={{v: {i}}}) % 64] = A[T.Let(v % 64, where={{v: {i}}})]\n")


@shape(1000, TIR_ALL)
def switch_of_one_value(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(n, "        B[i] = T.if_then_else(i == {i}, A[{i} % 64], T.if_then_else(i < {i}, B[i], T.Select(i > {p}, A[i], B[i])))\n")


@shape(1000, TIR_ALL)
def ifs_of_one_loop(n):
    return HEAD + PRIM + "    for i in range(64):\n        if i == 0:\n            B[i] = A[i]\n" + lines(n, "        elif i == {i}:\n            B[i] = A[i] + T.float32({i})\n")


@shape(1000, TIR_ALL)
def threads_around_blocks(n):
    return HEAD + PRIM + lines(n, "    for t{i} in T.thread_binding(64, thread='threadIdx.x'):\n        with T.block('b{i}'):\n            v = T.axis.spatial(64, t{i})\n            B[v] = A[v]\n")


@shape(1000, ("tir", "migrate --to=0.27", "check", "server"))
def launched_threads(n):
    """Each stands around what follows; all are flat as they are written."""
    return HEAD + PRIM + lines(n, "    t{i} = T.launch_thread('blockIdx.x', 64)\n    B[t{i}] = A[t{i}] + T.float32({i})\n")


@shape(1000, ("tir", "migrate --to=0.27", "check", "server"))
def attributes_that_stand_around(n):
    return HEAD + PRIM + lines(n, "    T.attr(A.data, 'k{i}', {i})\n    B[{i} % 64] = A[{i} % 64]\n")


@shape(1000, ("tir", "migrate --to=0.27", "check", "server"))
def allocations_that_stand_around(n):
    return HEAD + PRIM + lines(n, "    p{i} = T.allocate((64,), 'float32', 'global')\n    C{i} = T.Buffer((64,), 'float32', data=p{i})\n    C{i}[0] = A[{i} % 64]\n")


# ---- files

def project(n, form, last="K"):
    """A chain of modules of constants, and a script that uses the first one's."""
    made = {f"m{i}.py": form.format(i=i, next=i + 1, back=(i + 1) % n) for i in range(n)}
    made[f"m{n}.py"] = "K = 4\n"
    made["a.py"] = "from m0 import *\n" + function(f"        y = R.zeros(({last},), 'float32')\n")
    return {**made, "args": ["check", "a.py"], "code": (0, 1)}


@shape(100, ("files",))
def star_imports_of_star_imports(n):
    return project(n, "from m{next} import *\n" + "".join(f"a{k} = {k}\n" for k in range(20)))


@shape(100, ("files",))
def star_imports_in_a_circle(n):
    return project(n, "from m{back} import *\nfrom m{next} import *\nb{i} = K\n", "b0")


@shape(100, ("files",))
def star_imports_of_all(n):
    """Each module takes everything of two others: as many paths as there can be."""
    return project(n, "from m{back} import *\nfrom m{next} import *\nfrom m{next} import K\nk{i} = K + 1\n", "k0")


@shape(10000, ("files",))
def lists_of_the_configuration(n):
    names = ", ".join(f'"RLX{i % 10000:04}"' for i in range(n))
    return {"rlx.toml": f'select = [{names}]\nignore = [{names}]\nexclude = [{", ".join(chr(34) + f"a{i}*/**/b" + chr(34) for i in range(n // 10))}]\n',
            "a.py": main("        y = R.add(x, x)\n"), "args": ["check", "a.py"], "code": (0, 1, 2)}


@shape(2000, ("files",))
def long_trace(n):
    steps = "".join('    b%d = sch.get_block("b", "main")\n    l%d, = sch.get_loops(block=b%d)\n    sch.annotate(l%d, "k%d", %d)\n' % ((i,) * 6) for i in range(n // 3))
    return {"a.py": HEAD + PRIM.replace("def f", "def main") + "    for i in range(64):\n        with T.block('b'):\n            v = T.axis.spatial(64, i)\n            B[v] = A[v]\n",
            "t.py": "def apply_trace(sch):\n" + steps, "args": ["schedule", "a.py", "t.py"], "code": (0, 1, 2)}


@shape(2000, ("files",))
def functions_of_a_trace(n):
    functions = "".join(f"def f{i}(s):\n    a{i} = {i}\n    f{i - 1}(s)\n    f{i - 1}(s)\n" for i in range(1, n))
    return {"a.py": HEAD + PRIM.replace("def f", "def main") + "    for i in range(64):\n        B[i] = A[i]\n",
            "t.py": "sch = tvm.tir.Schedule(main)\ndef f0(s):\n    s.unroll(l)\n" + functions + f"f{n - 1}(sch)\n" + lines(n, "f0(sch)\n"),
            "args": ["schedule", "a.py", "t.py"], "code": (0, 1, 2)}


@shape(300, ("files",))
def run_of_many_functions(n):
    return {"a.py": function(lines(n, "        y{i} = R.add(x, x)\n") + f"        z = R.multiply(y{n}, x)\n", "z"), "args": ["run", "a.py", "--random"], "code": (0, 1, 2)}


@shape(2000, ("files",))
def calls_at_the_prompt(n):
    return {"input": "".join(f"a{i} = R.const([{i}, 1, 2], 'int32')\nb{i} = R.add(a{i}, a{max(i - 1, 0)})\nb{i}\n:type b{i}\n" for i in range(n)), "args": ["repl"]}


@shape(20000, ("messages",))
def cells_of_one_notebook(n):
    cells = [{"kind": 2, "document": f"file:///n.ipynb#{i}"} for i in range(n // 20)]
    documents = [{"uri": f"file:///n.ipynb#{i}", "languageId": "python", "version": 1, "text": f"a{i} = {i}\n"} for i in range(n // 20)]
    return [json.dumps({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {
        "notebookDocument": {"uri": "file:///n.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": cells}, "cellTextDocuments": documents}})]
