"""Shapes of input that are hard to decide or unusually wide: more rows of shapes.SHAPES."""
import json

from shapes import HEAD, MODULE, TIR, lines, main, shape

# ---- questions about symbolic integers

SYMBOLS = MODULE + ('    @R.function\n    def main(x: R.Tensor(("a", "b", "c", "d"), "int8"), z: R.Object):\n        a = T.int64()\n        b = T.int64()\n'
                    "        c = T.int64()\n        d = T.int64()\n        e = T.max(a * b // c, T.min(b % (c + 1), d * a))\n"
                    "        f = T.min(a * b % c, T.max(d // (b + 1), d * c))\n")


def symbols(body):
    return SYMBOLS + body + "        return x\n"


@shape(300)
def hard_reshapes(n):
    return symbols(lines(n, "        y{i} = R.reshape(x, (e + {i}, f))\n"))


@shape(300)
def hard_additions(n):
    return symbols(lines(n, '        y{i} = R.add(R.zeros((e,), "int8"), R.zeros((f + {i},), "int8"))\n'))


@shape(300)
def hard_annotations(n):
    return symbols(lines(n, '        y{i}: R.Tensor((e + {i}, f), "int8") = R.zeros((f, e), "int8")\n'))


@shape(300)
def hard_slices(n):
    return symbols(lines(n, "        y{i} = R.strided_slice(x, [0, 1], [e, b], [f + {i}, a], [a, b])\n"))


@shape(300)
def hard_concats(n):
    return symbols(lines(n, '        y{i} = R.concat((R.zeros((e, f), "int8"), R.zeros((e, d + {i}), "int8"), R.zeros((e + f, b), "int8")))\n'))


@shape(300)
def hard_minima(n):
    return symbols(lines(n, '        w{i} = R.add(R.zeros((T.min(a, {i}) * T.max(b, c) * T.min(c, d),), "int8"), '
                            'R.zeros((T.max(d, b) * T.min(c, a) * T.min(a, d),), "int8"))\n'))


@shape(300)
def hard_under_facts(n):
    return symbols("".join(f"        y{k} = R.match_cast(z, R.Tensor((a * {k}, b + {k} * d), 'int8'))\n" for k in range(2, 40)) +
                   lines(n, '        w{i} = R.add(R.zeros((e + {i},), "int8"), R.zeros((f,), "int8"))\n'))


@shape(500)
def many_questions_of_a_statement(n):
    return symbols('        y: R.Tensor((' + "".join(f"e+{i}," for i in range(n)) + '), "int8") = R.zeros((' + "f," * n + '), "int8")\n')


@shape(300)
def products_to_expand(n):
    return symbols(lines(n, '        y{i} = R.reshape(x, ((a + b + {i}) * (b + c) * (c + d) * (d + a), (a + c) * (b + d + {i})))\n'))


# ---- questions about loops

@shape(60, TIR)
def hard_parallel(n):
    return HEAD + "@T.prim_func\ndef f(A: T.Buffer((4096,), 'float32')):\n" + lines(n, (
        "    for i in T.parallel(37):\n        for j, k in T.grid(29, 23):\n"
        "            A[(i * 31 + j * {i} + k * 7) % 1024 + (i // 3) * 64] = A[(i * 17 + j * {i}) // 5 % 512]\n"))


@shape(60, TIR)
def hard_parallel_functions(n):
    return HEAD + lines(n, (
        "@T.prim_func\ndef f{i}(A: T.Buffer((4096,), 'float32')):\n    for i in T.parallel(37):\n        for j, k in T.grid(29, 23):\n"
        "            A[(i * 31 + j * {i} + k * 7) % 1024 + (i // 3) * 64] = A[(i * 17 + j * {i}) // 5 % 512]\n"))


@shape(30, TIR)
def witnesses_of_many_loops(n):
    """The smallest witness is hard to find among a dozen of loops."""
    loops = ", ".join(f"i{k}" for k in range(1, 8))
    index = "(i0 * 3 + i1 * 7) // 2 % 5 + " + " + ".join(f"i{k} * {k + 11}" for k in range(1, 8))
    return HEAD + lines(n, (f"@T.prim_func\ndef f{{i}}(A: T.Buffer((4096,), 'float32')):\n    for i0 in T.parallel(37):\n"
                            f"        for {loops} in T.grid({', '.join(str(5 + k) for k in range(1, 8))}):\n"
                            f"            A[({index}) % 4096] = T.float32(1)\n"))


@shape(60, TIR)
def hard_symbolic_blocks(n):
    return HEAD + ("@T.prim_func\ndef f(a: T.handle):\n    n = T.int64()\n    m = T.int64()\n"
                   "    A = T.match_buffer(a, (n * m,), 'float32')\n") + lines(n, (
                       "    for i, j in T.grid(n, m):\n        with T.block('b{i}'):\n            vi, vj = T.axis.remap('SS', [i, j])\n"
                       "            A[vi * m + vj + {i}] = A[vj * n + vi]\n"))


@shape(60, TIR)
def huge_extents(n):
    return HEAD + "@T.prim_func\ndef f(A: T.Buffer((64,), 'float32'), B: T.Buffer((64,), 'float32')):\n" + lines(n, (
        "    for i in range(9223372036854775807):\n        with T.block('b{i}'):\n"
        "            v = T.axis.spatial(9223372036854775807, i * 9223372036854775807 // 3)\n            A[v % 64] = B[v * v % 64]\n"))


@shape(60, TIR)
def reads_of_many_writes(n):
    return HEAD + "@T.prim_func\ndef f(B: T.Buffer((64,), 'float32')):\n    C = T.alloc_buffer((4096,), 'float32')\n" + lines(
        n, "    for i, j in T.grid(8, 7):\n        C[i * 9 + j * {i} + i // 3] = T.float32({i})\n") + lines(
            n, "    for i in range(8):\n        B[i] = C[i * {i} % 4096]\n")


@shape(60, TIR)
def vectorized_updates(n):
    return HEAD + "@T.prim_func\ndef f(A: T.Buffer((4096,), 'float32')):\n" + lines(n, (
        "    for i in T.vectorized(64):\n        for j in range(16):\n            A[i * j % 64] = A[i * j % 64] + A[(i + j) // 2 * {i} % 4096]\n"))


# ---- wide and long

@shape(1000)
def one_line_of_errors(n):
    return HEAD + "@R.function\ndef main(x: R.Tensor((4,), 'float32')): " + "; ".join(f"y{i} = R.add(z{i}, x)" for i in range(n)) + "; return x\n"


@shape(1000)
def one_line_that_does_not_parse(n):
    return HEAD + "@R.function\ndef main(x: R.Tensor((4,), 'float32')): " + "; ".join(f"y{i} = R.add(,x)" for i in range(n)) + "; return x\n"


@shape(500)
def parameters_and_broken_lines(n):
    return HEAD + "@R.function\ndef main(" + ", ".join(f"x{i}" for i in range(n)) + "):\n" + lines(n, "    y{i} = R.add(x{i},, x0)\n") + "    return x0\n"


@shape(3500)
def impure_functions(n):
    return MODULE + lines(n, (
        "    @R.function\n    def f{i}(x: R.Tensor((4,), 'float32')):\n        y = R.call_packed('p', x, sinfo_args=R.Tensor((4,), 'float32'))\n        return y\n"))


@shape(300)
def docstrings(n):
    return MODULE + lines(n, '    @R.function\n    def f{i}(x: R.Tensor((4,), "float32")):\n        """' + "word " * 20 + '"""\n        return x\n')


@shape(1000)
def chained_uses_of_one_name(n):
    return main("        y = R.add(x, x)\n" + lines(n, "        z{i} = R.add(y, y)\n"), "y")


@shape(300)
def matches_of_one_dimension(n):
    return main(lines(n, '        y{i} = R.match_cast(x, R.Tensor((n, {i}), "float32"))\n'), "x")


# ---- files and messages

@shape(2000, ("files",))
def notebook_cells(n):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": [f"a{i} = {i}\n"]} for i in range(n)]
    return {"a.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "args": ["check", "a.ipynb"],
            "code": (2,)}  # notebooks are not read: said at once


@shape(1000, ("files",))
def lines_of_a_script(n):
    return {"a.repl": "".join(f"a{i} = {i} + 1\n" for i in range(n)), "args": ["repl", "a.repl"]}


@shape(20000, ("messages",))
def positions_of_a_request(n):
    at = {"line": 6, "character": 10}
    return [json.dumps({"jsonrpc": "2.0", "id": 2, "method": "textDocument/selectionRange",
                        "params": {"textDocument": {"uri": "file:///a.py"}, "positions": [at] * n}})]


@shape(5000, ("messages",))
def renames(n):
    return [json.dumps({"jsonrpc": "2.0", "id": i + 2, "method": "textDocument/rename", "params": {
        "textDocument": {"uri": "file:///a.py"}, "position": {"line": 6, "character": 8}, "newName": f"n{i}"}}) for i in range(n // 10)]


@shape(8000, TIR)
def dimensions_declared_again(n):
    """Lengths of parameters, as strings in the signature and as variables in the body."""
    return HEAD + "@T.prim_func\ndef f(" + ", ".join(f'A{i}: T.Buffer(("n{i}",), "float32")' for i in range(n)) + "):\n" + lines(
        n - 1, "    n{i} = T.int32()\n") + "    A0[0] = T.float32(0)\n"


@shape(1000)
def casts_to_new_names(n):
    """Two new dimensions in each cast, and what is made of them."""
    return main(lines(n, '        a{i} = T.int64()\n        b{i} = T.int64()\n        v{i} = R.match_cast(x, R.Tensor((a{i}, b{i}), "float32"))\n'
                         "        w{i} = R.matmul(v{i}, v{p})\n").replace("v0)", "x)"))


@shape(2000)
def branches_of_one_if(n):
    """Deeper than blocks may be, with names that nothing binds."""
    return main("        if c0:\n            y = x\n" + lines(n, "        elif c{i}:\n            y = R.add(x, x)\n") + "        else:\n            y = x\n")


@shape(3000, ("check", "print"))
def threads_below_each_other(n):
    """Flat as they are written; as TVM prints them, each stands within the last."""
    return HEAD + "@T.prim_func\ndef f(A: T.Buffer((64,), 'float32')):\n" + lines(
        n, "    t{i} = T.launch_thread('threadIdx.x', 64)\n    A[t{i}] = T.float32({i})\n")
