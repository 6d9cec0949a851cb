"""Shapes of input, each made at any size: SHAPES maps a name to a Shape. What a shape gives grows in proportion to its number."""
import io
import json
import struct
import zipfile

HEAD = "from tvm.script import ir as I, relax as R, tir as T\n"
MODULE = HEAD + "@I.ir_module\nclass M:\n"
X = 'x: R.Tensor(("n", 4), "float32")'
MAIN = f"    @R.function\n    def main({X}):\n"
PRIM = "@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"

SHAPES = {}


class Shape:
    """`make(n)` gives a script's text, or a dictionary of files, texts or as growth.put takes them (with "args": what is run in their folder; "code": the exit codes that
    are right, 0 and 1; a file "input" is what is typed; "before": a command ahead of it).
    `start`: the number at which it is about half a megabyte or, where it does more per byte, takes some tenths of a second.
    `commands`: of the program; "server" is a session over the script, "requests" one of 200 questions with edits between them."""

    def __init__(self, make, start, commands):
        self.make, self.start, self.commands = make, start, commands


def shape(start, commands=("check", "server")):
    def add(make):
        if make.__name__ in SHAPES:
            raise ValueError(f"there are two shapes {make.__name__}: the first one would not be tested")
        SHAPES[make.__name__] = Shape(make, start, commands)
        return make
    return add


TIR = ("check", "tir", "print", "server")


def lines(n, form):
    return "".join(form.format(i=i, p=i - 1) for i in range(1, n + 1))


def main(body, result="x", before=""):
    return MODULE + before + MAIN + body + f"        return {result}\n"


# ------------------------------------------------------------------ statements

@shape(6000)
def bindings(n):
    return main("        y0 = R.add(x, x)\n" + lines(n, "        y{i} = R.add(y{p}, x)\n"), f"y{n}")


@shape(6000)
def bindings_in_dataflow(n):
    return main("        with R.dataflow():\n            y0 = R.add(x, x)\n" + lines(n, "            y{i} = R.add(y{p}, x)\n")
                + f"            R.output(y{n})\n", f"y{n}")


@shape(6000)
def unused_bindings(n):
    return main(lines(n, "        y{i} = R.add(x, x)\n"))


@shape(4000)
def match_casts(n):
    return main(lines(n, '        m{i} = T.int64()\n        y{i} = R.match_cast(x, R.Tensor((m{i}, 4), "float32"))\n'))


@shape(4000)
def chained_casts(n):
    return main("        y0 = x\n" + lines(n, '        y{i} = R.match_cast(y{p}, R.Tensor(("m{i}", 4), "float32"))\n'), f"y{n}")


@shape(4000)
def chained_types(n):
    return main("        y0 = x\n" + lines(n, '        y{i} = R.astype(y{p}, "float16")\n'), f"y{n}")


@shape(3000)
def chained_reshapes(n):
    return main("        y0 = x\n" + lines(n, "        y{i} = R.reshape(y{p}, (-1,))\n"), f"y{n}")


@shape(2000)
def growing_dims(n):
    return main("        y0 = x\n" + lines(n, "        y{i} = R.concat((y{p}, x), axis=0)\n"), f"y{n}")


@shape(4000)
def asserts(n):
    return main(lines(n, "        assert n > {i}\n"))


@shape(4000)
def annotations(n):
    return main(lines(n, '        y{i}: R.Tensor(("n", 4), "float32") = R.add(x, x)\n'))


@shape(4000)
def wrong_annotations(n):
    return main(lines(n, '        y{i}: R.Tensor((3, 4), "float16") = R.add(x, x)\n'))


@shape(4000)
def reassigned(n):
    return main(lines(n, "        x = R.add(x, x)\n"))


@shape(2000)
def ifs(n):
    return (MODULE + f"    @R.function\n    def main({X}, c: R.Tensor((), \"bool\")):\n"
            + lines(n, "        if c:\n            y{i} = R.add(x, x)\n        else:\n            y{i} = R.multiply(x, x)\n")
            + "        return x\n")


@shape(150)
def nested_ifs(n):
    body, indent = "", "        "
    for i in range(n):
        body += f"{indent}if c:\n"
        indent += " "
    body += f"{indent}y = R.add(x, x)\n"
    for i in range(n):
        indent = indent[:-1]
        body += f"{indent}else:\n{indent} y = R.add(x, x)\n"
    return MODULE + f"    @R.function\n    def main({X}, c: R.Tensor((), \"bool\")):\n" + body + "        return y\n"


@shape(2000)
def dataflow_blocks(n):
    return main(lines(n, "        with R.dataflow():\n            a{i} = R.add(x, x)\n            y{i} = R.add(a{i}, x)\n            R.output(y{i})\n"))


@shape(12000)
def outputs(n):
    return main("        with R.dataflow():\n" + lines(n, "            y{i} = R.add(x, x)\n")
                + "            R.output(" + ", ".join(f"y{i}" for i in range(1, n + 1)) + ")\n")


@shape(3000)
def undefined_names(n):
    return main(lines(n, "        y{i} = R.add(x, z{i})\n"))


@shape(8000)
def undefined_names_outside(n):
    return HEAD + lines(n, "a{i} = z{i} + 1\n") + MODULE[len(HEAD):] + MAIN + "        return x\n"


@shape(8000)
def names_outside(n):
    return HEAD + "a0 = 1\n" + lines(n, "a{i} = a{p} + 1\n") + MODULE[len(HEAD):] + MAIN + f"        return R.reshape(x, (a{n}, -1))\n"


@shape(8000)
def doubled_names_outside(n):
    """Each name stands twice in the next one: values, lists and strings that double."""
    return (HEAD + "a0 = 3\nb0 = [1]\nc0 = 'ab'\nd0 = 'ab'\n"
            + lines(n // 4, "a{i} = a{p} * a{p}\nb{i} = b{p} + b{p}\nc{i} = c{p} + c{p}\nd{i} = f'{{d{p}}}{{d{p}}}'\n")
            + MODULE[len(HEAD):] + MAIN + f"        y = R.reshape(x, (a{n // 4}, b{n // 4}, c{n // 4}, d{n // 4}))\n        return y\n")


@shape(500)
def comprehensions_of_nothing(n):
    """Loops of a comprehension that last, though no item comes of them."""
    return (HEAD + lines(n, "k{i} = [i for i in range(60000)]\n") + MODULE[len(HEAD):] + MAIN + "        y = R.reshape(x, ["
            + " + ".join(["j"] * n) + " for i in range(9999) for j in range(9999) if j < 0])\n        return x\n")


@shape(8000)
def conditional_names_outside(n):
    return HEAD + "a0 = 1\n" + lines(n, "if a0:\n    a{i} = a{p}\n") + MODULE[len(HEAD):] + MAIN + f"        return R.reshape(x, (a{n}, -1))\n"


@shape(3000)
def misspelt_operators(n):
    return main(lines(n, "        y{i} = R.ad{i}(x, x)\n"))


@shape(3000)
def wrong_dtypes(n):
    return main(lines(n, '        y{i} = R.add(x, R.zeros((4,), "float16"))\n'))


# ------------------------------------------------------------------ functions and modules

@shape(1500)
def functions(n):
    return MODULE + lines(n, f"    @R.function\n    def f{{i}}({X}):\n        return R.add(x, x)\n")


@shape(1500)
def functions_that_call(n):
    return MODULE + f"    @R.function\n    def f0({X}):\n        return x\n" + lines(
        n, f"    @R.function\n    def f{{i}}({X}):\n        y = M.f{{p}}(x)\n        return y\n")


@shape(1500)
def functions_that_call_behind(n):
    return MODULE + lines(n, f'    @R.function\n    def f{{i}}({X}) -> R.Tensor(("n", 4), "float32"):\n        y = M.f{n}(x)\n        return y\n')


@shape(1500)
def islands(n):
    return HEAD + lines(n, f"@R.function\ndef f{{i}}({X}):\n    return R.add(x, x)\n")


@shape(1500)
def modules(n):
    return HEAD + lines(n, f"@I.ir_module\nclass M{{i}}:\n    @R.function\n    def f({X}):\n        return x\n")


@shape(1000)
def local_functions(n):
    return main(lines(n, f"        @R.function\n        def f{{i}}({X}):\n            return x\n        y{{i}} = f{{i}}(x)\n"))


@shape(30)
def nested_functions(n):
    body, indent = "", "        "
    for i in range(n):
        body += f"{indent}@R.function\n{indent}def f{i}({X}):\n"
        indent += "  "
    body += f"{indent}y = R.add(x, x)\n{indent}return y\n"
    for i in reversed(range(n)):
        indent = indent[:-2]
        body += f"{indent}z{i} = f{i}(x)\n" + (f"{indent}return z{i}\n" if i else "")
    return main(body, "z0")


@shape(3000)
def parameters(n):
    return MODULE + "    @R.function\n    def main(" + ", ".join(f'x{i}: R.Tensor(("n{i}", 4), "float32")' for i in range(n)) + "):\n        return x0\n"


@shape(1200)
def parameters_in_calls(n):
    names = ", ".join(f"x{i}" for i in range(n))
    return (MODULE + "    @R.function\n    def g(" + ", ".join(f'x{i}: R.Tensor(("n{i}", 4), "float32")' for i in range(n)) + ") -> R.Object:\n"
            "        return x0\n    @R.function\n    def main(" + ", ".join(f'x{i}: R.Tensor(("n{i}", 4), "float32")' for i in range(n))
            + f"):\n        y = M.g({names})\n        return y\n")


@shape(2000)
def decorators(n):
    return HEAD + lines(n, "@d{i}\n") + f"@R.function\ndef f({X}):\n    return x\n"


@shape(10000)
def imports(n):
    return lines(n, "import m{i}\n") + main("")


@shape(10000)
def imported_names(n):
    return "from m import (\n" + lines(n, "    a{i},\n") + ")\n" + main("")


@shape(2000)
def star_imports(n):
    return lines(n, "from m{i} import *\n") + main("        y = R.reshape(x, (N, 4))\n")


@shape(2000)
def attributes(n):
    return main("        R.func_attr({" + ", ".join(f'"a{i}": {i}' for i in range(n)) + "})\n")


@shape(3000)
def module_attributes(n):
    return MODULE + "    I.module_attrs({" + ", ".join(f'"a{i}": {i}' for i in range(n)) + "})\n" + MAIN + "        return x\n"


@shape(3000)
def repeated_keys(n):
    return main("        R.func_attr({" + ", ".join('"a": 1' for i in range(n)) + "})\n")


# ------------------------------------------------------------------ values

@shape(6000)
def tuple_fields(n):
    return main("        t = (" + "x, " * n + ")\n" + "        a = t[0]\n", "t")


@shape(1500)
def tuple_types(n):
    fields = ", ".join(f'R.Tensor(("n", {i}), "float32")' for i in range(n))
    return MODULE + f"    @R.function\n    def main(x: R.Tuple({fields})) -> R.Tuple({fields}):\n        y: R.Tuple({fields}) = x\n        return y\n"


@shape(1500)
def tuple_items(n):
    fields = ", ".join('R.Tensor(("n", 4), "float32")' for i in range(n))
    return MODULE + f"    @R.function\n    def main(x: R.Tuple({fields})):\n" + lines(n, "        y{i} = x[{p}]\n") + "        return x\n"


@shape(2000, ("check",))
def growing_tuples(n):
    return main("        t0 = (x,)\n" + lines(n, "        t{i} = (t{p}, x)\n"), f"t{n}")


@shape(500)
def shared_tuples(n):
    return main("        t0 = (x, x)\n" + lines(n, "        t{i} = (t{p}, t{p})\n"), f"t{n}")


@shape(300)
def shared_tuples_wrong(n):
    return main("        t0 = (x, x)\n" + lines(n, "        t{i} = (t{p}, t{p})\n        u{i} = R.add(t{i}, x)\n"), f"t{n}")


@shape(3000)
def undefined_in_one_call(n):
    return main("        y = R.concat((" + ", ".join(f"z{i}" for i in range(n)) + "))\n")


@shape(40000)
def wrong_keywords_in_one_call(n):
    return main("        y = R.add(" + ", ".join(f"a{i}=x" for i in range(n)) + ")\n", "y")


@shape(3000)
def keyword_again_and_again(n):
    return main("        y = R.add(" + "x1=x, " * n + "x2=x)\n", "y")


@shape(1500)
def nested_calls_in_a_line(n):
    """A body behind the colon of its `def`: all statements stand in one line."""
    return HEAD + "@R.function\ndef main(x: R.Tensor((4,), 'float32')): " + "".join(
        f"y{i} = R.add(R.nn.relu(x), x); " for i in range(n)) + "return x\n"


@shape(60)
def deep_tuples(n):
    return main("        t = " + "(" * n + "x" + ",)" * n + "\n", "t")


@shape(3000)
def dims(n):
    return MODULE + "    @R.function\n    def main(x: R.Shape([" + ", ".join(f'"n{i}"' for i in range(n)) + "])):\n        return x\n"


@shape(1000)
def dims_of_tensors(n):
    return main("        y = R.reshape(x, (" + "1, " * n + "n, 4))\n        z = R.add(y, y)\n        w = R.permute_dims(z)\n", "w")


@shape(3000)
def symbolic_vars(n):
    return main(lines(n, "        m{i} = T.int64()\n") + lines(n, '        y{i} = R.zeros((n + {i},), "float32")\n'))


@shape(2000)
def long_sums(n):
    return main("        y = R.zeros((" + " + ".join(["n"] * n) + ',), "float32")\n', "y")


@shape(1000)
def long_products(n):
    return main("        y = R.zeros((" + " * ".join(["n"] * n) + ',), "float32")\n', "y")


@shape(300)
def deep_sums(n):
    return main("        y = R.zeros((" + "(n + " * n + "1" + ")" * n + ',), "float32")\n', "y")


@shape(300)
def products_of_sums(n):
    return main("        y = R.zeros((" + " * ".join(f"(n + {i})" for i in range(n)) + ',), "float32")\n        z = R.add(y, y)\n', "z")


@shape(300)
def nested_divisions(n):
    e = "n"
    for i in range(n):
        e = f"({e} + {i % 7 + 1}) // {i % 3 + 2}"
    return main(f'        y = R.zeros(({e},), "float32")\n        z = R.add(y, R.zeros(({e},), "float32"))\n', "z")


@shape(400)
def hard_questions(n):
    """Equalities that take the prover a search each."""
    return MODULE + ('    @R.function\n    def main(x: R.Tensor(("a", "b", "c", "d"), "float32")):\n        a = T.int64()\n        b = T.int64()\n'
                     "        c = T.int64()\n        d = T.int64()\n") + lines(
        n, '        y{i} = R.add(R.zeros((T.max(a * b // c, T.min(b % (c + {i}), d * a)),), "float32"), '
           'R.zeros((T.min(a * b % c, T.max(d // (b + {i}), d * c)),), "float32"))\n') + "        return x\n"


@shape(2000)
def facts(n):
    return main(lines(n, "        assert n % {i} < {i} + 3\n") + '        y = R.add(R.zeros((n * n // 3,), "float32"), x)\n')


@shape(40000)
def chains(n):
    """Expressions without a bracket too many whose trees are one long branch."""
    return main("".join(f"        y{i} = {e}\n" for i, e in enumerate((
        "R" + ".a" * n, "R.add" + "()" * n, "x" + "[0]" * n, " + ".join(["n"] * n), " * ".join(["n"] * n), "x" + " @ x" * n))))


@shape(40000, TIR)
def chains_in_a_prim_func(n):
    return HEAD + PRIM + "    for i in range(64):\n        A[i] = " + " + ".join(["B[i]"] * n) + "\n        A[i] = B" + "[i]" * n + "\n"


@shape(3000)
def lists(n):
    return main("        y = R.reshape(x, [" + "1, " * n + "-1])\n", "y")


@shape(5000)
def strings(n):
    return main("        y = R.astype(x, " + "'float' " * n + ")\n", "y")


@shape(5000)
def constants(n):
    return main('        y = R.const([' + "1.0, " * n + '], "float32")\n', "y")


@shape(3000)
def calls_nested_wide(n):
    return main("        y = R.concat((" + "R.add(x, x), " * n + "), axis=0)\n", "y")


@shape(150)
def calls_nested_deep(n):
    return main("        y = " + "R.nn.relu(" * n + "x" + ")" * n + "\n", "y")


@shape(2000)
def einsum(n):
    return main('        y = R.einsum((' + "x, " * n + '), "' + ",".join(["ab"] * n) + '->ab")\n', "y")


# ------------------------------------------------------------------ text

@shape(250000)
def long_name(n):
    name = "a" * n
    return main(f"        {name} = R.add(x, x)\n", name)


@shape(2000)
def long_names_that_agree(n):
    prefix = "a" * 100
    return main(f"        {prefix}0 = x\n" + lines(n, f"        {prefix}{{i}} = R.add({prefix}{{p}}, x)\n"), f"{prefix}{n}")


@shape(10000)
def comments(n):
    return main(lines(n, "        # rlx says nothing about comment {i}\n"))


@shape(5000)
def suppressions(n):
    return main(lines(n, "        y{i} = R.add(x, z{i})  # rlx: ignore[RLX0201]\n"))


@shape(5000)
def unused_suppressions(n):
    return main(lines(n, "        y{i} = R.add(x, x)  # rlx: ignore[RLX0302]\n"))


@shape(3000)
def many_suppressions_in_a_line(n):
    return main("        y = R.add(x, z)  # rlx: ignore[" + ", ".join(f"RLX{i % 1000:04}" for i in range(n)) + "]\n")


@shape(250000)
def one_line(n):
    return "x = " + "+".join(["1"] * n) + "\n" + main("")


@shape(100000)
def open_brackets(n):
    return main("        y = " + "(" * n + "\n")


@shape(100000)
def closing_brackets(n):
    return main("        y = " + ")" * n + "\n")


@shape(5000)
def broken_lines(n):
    return main(lines(n, "        y{i} = R.add(x,, x)\n"))


@shape(5000)
def lost_brackets(n):
    return main(lines(n, "        y{i} = R.add(x, x\n"))


@shape(2000)
def odd_indents(n):
    return main(lines(n, "        y{i} = x\n         z{i} = x\n"))


@shape(100)
def deep_indents(n):
    return HEAD + "".join(" " * i + f"if a{i}:\n" for i in range(n)) + " " * n + "pass\n" + main("")


@shape(200000)
def line_of_text(n):
    return '"""' + "word " * (n // 5) + '"""\n' + main("")


@shape(30000)
def empty_lines(n):
    return main("\n" * n + "        y = R.add(x, z)\n")


@shape(5000)
def semicolons(n):
    return main("        " + "; ".join(f"y{i} = R.add(x, x)" for i in range(n)) + "\n")


@shape(20000)
def backslashes(n):
    return main("        y = R.add(x, \\\n" + "          \\\n" * n + "          x)\n", "y")


@shape(2000)
def f_strings(n):
    return HEAD + 'a0 = "x"\n' + lines(n, 'a{i} = f"{{a{p}}}x"\n') + MAIN.replace("    @R", "@R", 1).replace("    def", "def", 1).replace("\n    ", "\n") + "    return x\n"


@shape(50000)
def utf16(n):
    return main("        # " + "\U0001F600é" * n + "\n        y = R.add(x, z)\n")


# ------------------------------------------------------------------ PrimFuncs

@shape(400, TIR)
def blocks_on_one_buffer(n):
    return HEAD + PRIM + lines(n, '    for i in range(64):\n        with T.block("b{i}"):\n            v = T.axis.spatial(64, i)\n            A[v] = A[v] + T.float32({i})\n')


@shape(400, TIR)
def blocks_that_read_all(n):
    return HEAD + PRIM + lines(n, '    for i in range(64):\n        with T.block("b{i}"):\n            v = T.axis.spatial(64, i)\n            A[v] = A[63 - v] + B[v]\n')


@shape(400, TIR)
def blocks_of_slices(n):
    return HEAD + f'@T.prim_func\ndef f(A: T.Buffer(({n + 2},), "float32")):\n' + lines(
        n, '    for i in range(1):\n        with T.block("b{i}"):\n            v = T.axis.spatial(1, i)\n            A[v + {i}] = A[v + {p}]\n')


@shape(400, TIR)
def blocks_in_one_loop(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(
        n, '        with T.block("b{i}"):\n            v = T.axis.spatial(64, i)\n            A[v] = A[v] + T.float32({i})\n')


@shape(400, TIR)
def buffers(n):
    return HEAD + PRIM + lines(n, '    C{i} = T.alloc_buffer((64,), "float32")\n') + lines(
        n, '    for i in range(64):\n        with T.block("b{i}"):\n            v = T.axis.spatial(64, i)\n            C{i}[v] = A[v]\n')


@shape(400, TIR)
def chain_of_buffers(n):
    return HEAD + PRIM + "    C0 = T.alloc_buffer((64,), \"float32\")\n" + lines(n, '    C{i} = T.alloc_buffer((64,), "float32")\n') + lines(
        n, '    for i in range(64):\n        with T.block("b{i}"):\n            v = T.axis.spatial(64, i)\n            C{i}[v] = C{p}[v] + A[v]\n')


@shape(30, TIR)
def nested_loops(n):
    text, indent = HEAD + PRIM, "    "
    for i in range(n):
        text += f"{indent}for i{i} in range(2):\n"
        indent += " "
    return text + f"{indent}B[i{n - 1}] = A[i{n - 1}]\n"


@shape(1000, TIR)
def loops(n):
    return HEAD + PRIM + lines(n, "    for i in range(64):\n        B[i] = A[i]\n")


@shape(300, TIR)
def parallel_loops(n):
    return HEAD + PRIM + lines(n, "    for i in T.parallel(64):\n        B[i] = A[i] + A[63 - i]\n")


@shape(150, TIR)
def stores_in_parallel(n):
    return HEAD + f'@T.prim_func\ndef f(A: T.Buffer(({n} * 64,), "float32")):\n    for i in T.parallel(64):\n' + lines(n, f"        A[i * {n} + {{p}}] = T.float32(0)\n")


@shape(2000, TIR)
def stores(n):
    return HEAD + PRIM + lines(n, "    A[{i} % 64] = B[({i} + 1) % 64]\n")


@shape(200, TIR)
def dimensions_of_buffers(n):
    return HEAD + f'@T.prim_func\ndef f(A: T.Buffer(({"1, " * n}), "float32")):\n    A[{", ".join(["0"] * n)}] = T.float32(0)\n'


@shape(150, TIR)
def block_variables(n):
    return (HEAD + PRIM + "    for " + ", ".join(f"i{k}" for k in range(n)) + f" in T.grid({', '.join(['2'] * n)}):\n        with T.block(\"b\"):\n"
            + "".join(f"            v{k} = T.axis.spatial(2, i{k})\n" for k in range(n)) + "            A[v0] = B[v0]\n")


@shape(15, TIR)
def fused_bindings(n):
    """Bindings that iterate over a fused loop in steps of powers: hard for sets of integers."""
    return HEAD + lines(n, '@T.prim_func\ndef f{i}(A: T.Buffer((1024,), "float32")):\n    for i, j in T.grid(37, 29):\n        with T.block("b"):\n'
                           '            v = T.axis.spatial(1024, (i * 29 + j * 7) // 3 % 512 + i % 5)\n            w = T.axis.spatial(64, (i * 3 + j) % 61)\n'
                           '            A[v] = T.float32({i})\n')


@shape(1000, TIR)
def prim_funcs(n):
    return HEAD + lines(n, '@T.prim_func\ndef f{i}(A: T.Buffer((64,), "float32")):\n    for i in range(64):\n        with T.block("b"):\n'
                           "            v = T.axis.spatial(64, i)\n            A[v] = T.float32(0)\n")


@shape(1000, TIR)
def declared_regions(n):
    return (HEAD + PRIM + '    for i in range(64):\n        with T.block("b"):\n            v = T.axis.spatial(64, i)\n            T.reads('
            + ", ".join(f"A[{i % 64}]" for i in range(n)) + ")\n            T.writes(B[v])\n            B[v] = A[v]\n")


@shape(1000, TIR)
def long_expressions(n):
    return HEAD + PRIM + "    for i in range(64):\n        A[i] = " + " + ".join(f"B[(i + {k}) % 64]" for k in range(n)) + "\n"


@shape(300, TIR)
def deep_expressions(n):
    return HEAD + PRIM + "    for i in range(64):\n        A[i] = " + "T.exp(" * n + "B[i]" + ")" * n + "\n"


@shape(1000, TIR)
def predicates(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(n, "        if i < {i}:\n            A[i] = B[i]\n")


@shape(40, TIR)
def nested_blocks(n):
    text, indent = HEAD + PRIM, "    "
    for i in range(n):
        text += f'{indent}with T.block("b{i}"):\n'
        indent += " "
    return text + f"{indent}A[0] = B[0]\n"


@shape(2000, TIR)
def lets(n):
    return HEAD + '@T.prim_func\ndef f(A: T.Buffer((64,), "int32"), v0: T.int32):\n' + lines(n, "    v{i} = T.meta_var(v{p} + v{p})\n") + f"    A[0] = v{min(n, 12)}\n"


@shape(6000, TIR)
def let_chain(n):
    return HEAD + '@T.prim_func\ndef f(A: T.Buffer((64,), "int32"), v0: T.int32):\n' + lines(n, "    v{i}: T.int32 = v{p} + v{p}\n") + f"    A[0] = v{n}\n"


@shape(2000)
def call_tir(n):
    return (MODULE + '    @T.prim_func\n    def g(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):\n        for i, j in T.grid(4, 4):\n'
            "            B[i, j] = A[i, j]\n    @R.function\n    def main(y0: R.Tensor((4, 4), \"float32\")):\n        cls = M\n"
            + lines(n, '        y{i} = R.call_tir(cls.g, (y{p},), out_sinfo=R.Tensor((4, 4), "float32"))\n') + f"        return y{n}\n")


@shape(1000)
def call_tir_outputs(n):
    return main('        y = R.call_tir(M.g, (x,), out_sinfo=[' + ", ".join('R.Tensor((4, 4), "float32")' for _ in range(n)) + "])\n", "y",
                "    @T.prim_func\n    def g(A: T.Buffer((4, 4), \"float32\"), " + ", ".join(f'B{i}: T.Buffer((4, 4), "float32")' for i in range(n)) + "):\n        T.evaluate(0)\n")


# ------------------------------------------------------------------ other commands

@shape(2000, ("check --fix",))
def fixes(n):
    return main(lines(n, "        y{i} = R.add(x, R.nn.rellu(x))\n"))


@shape(2000, ("check --fix",))
def fixes_of_unused(n):
    return main("        with R.dataflow():\n" + lines(n, "            y{i} = R.add(x, x)\n") + "            R.output(y1)\n", "y1")


@shape(4000, ("check --fix",))
def fixes_of_dialects(n):
    return HEAD + f"@R.function\ndef f({X}):\n" + lines(n, '    y{i} = R.call_tir(g{i}, (x,), R.Tensor((4, 4), "float32"))\n') + "    return x\n"


@shape(4000, ("normalize", "infer", "print", "migrate --to=0.27", "outline"))
def nested_bindings(n):
    return main("        y0 = x\n" + lines(n, "        y{i} = R.add(R.nn.relu(y{p}), x)\n"), f"y{n}")


@shape(100, ("normalize", "infer", "print", "migrate --to=0.27"))
def nested_calls(n):
    return main("        y = " + "R.nn.relu(" * n + "x" + ")" * n + "\n", "y")


@shape(300, ("normalize", "infer", "print", "migrate --to=0.27"))
def shared_everywhere(n):
    return main("        t0 = (x, x)\n" + lines(n, "        t{i} = (t{p}, t{p})\n"), f"t{n}")


@shape(400, ("print", "tir --format=json", "tir --verbose"))
def blocks_printed(n):
    return blocks_of_slices(n)


@shape(20000, ("files",))
def settings(n):
    return {"rlx.toml": "select = [\n" + "".join(f'  "RLX{i % 10000:04}",\n' for i in range(n)) + "]\n", "a.py": "x = 1\n", "args": ["check", "a.py"]}


@shape(20000, ("files",))
def tables(n):
    return {"rlx.toml": "".join(f"[a{i}]\nx = 1\n" for i in range(n)), "a.py": "x = 1\n", "args": ["check", "a.py"]}


@shape(20000, ("files",))
def dotted_keys(n):
    return {"rlx.toml": "a" + ".a" * n + " = 1\n", "a.py": "x = 1\n", "args": ["check", "a.py"]}


@shape(20000, ("files",))
def deep_arrays(n):
    return {"rlx.toml": "a = " + "[" * n + "]" * n + "\n", "a.py": "x = 1\n", "args": ["check", "a.py"]}


@shape(5000, ("files",))
def baseline(n):
    text = main(lines(n, "        y{i} = R.add(x, z{i})\n"))
    return {"a.py": text, "args": ["check", "a.py", "--baseline=b.json"], "before": ["check", "a.py", "--baseline=b.json", "--write-baseline"]}


@shape(300, ("files",))
def many_files(n):
    return {f"a{i}.py": main("        y = R.add(x, x)\n", "y") for i in range(n)} | {"args": ["check", "."]}


@shape(100, ("files",))
def chain_of_modules(n):
    files = {f"m{i}.py": f"from m{i + 1} import N\n" for i in range(n)}
    return files | {f"m{n}.py": "N = 4\n", "a.py": "from m0 import N\n" + main("        y = R.reshape(x, (N, -1))\n", "y"), "args": ["check", "a.py"]}


@shape(200, ("files",))
def trace(n):
    script = HEAD + PRIM + '    for i in range(64):\n        with T.block("b"):\n            v = T.axis.spatial(64, i)\n            A[v] = B[v]\n'
    return {"a.py": script, "t.json": json.dumps([[["GetBlock", [], ["b", "main"], ["v0"]]] + [["GetLoops", ["v0"], [], [f"v{i + 1}"]] for i in range(n)], []]),
            "args": ["schedule", "a.py", "t.json"]}


def npy(shape_of, data):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': (" + ", ".join(map(str, shape_of)) + ",), }").encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


@shape(500, ("files",))
def arrays(n):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for i in range(n):
            z.writestr(f"a{i}.npy", npy((4,), b"\0" * 16))
    return {"a.npz": out.getvalue(), "a.py": HEAD + '@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    return x\n', "args": ["run", "a.py::f", "x=@a.npz:a0"]}


# ------------------------------------------------------------------ messages

@shape(20000, ("messages",))
def deep_message(n):
    return ['{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":' + "[" * n + "]" * n + "}"]


@shape(50000, ("messages",))
def wide_message(n):
    return ['{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":[' + ",".join(["1"] * n) + "]}"]


@shape(20000, ("messages",))
def keys_of_a_message(n):
    return ['{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{' + ",".join(f'"a{i}":1' for i in range(n)) + "}}"]


@shape(5000, ("messages",))
def many_messages(n):
    return ['{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":"a"}}'] * n


@shape(5000, ("messages",))
def cancellations(n):
    return [f'{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{{"id":{i}}}}}' for i in range(n)]


@shape(1000, ("messages",))
def changes_in_a_message(n):
    change = {"range": {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 0}}, "text": "        # a\n"}
    return [json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange",
                        "params": {"textDocument": {"uri": "file:///a.py", "version": 2}, "contentChanges": [change] * n}})]


@shape(1000, ("messages",))
def documents(n):
    return [json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": f"file:///b{i}.py", "languageId": "python", "version": 1, "text": main("        y = R.add(x, x)\n", "y")}}}) for i in range(n)]


@shape(20000, ("messages",))
def settings_of_a_client(n):
    return [json.dumps({"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": {"rlx": {
        "select": [f"RLX{i % 10000:04}" for i in range(n)]}}}})]
