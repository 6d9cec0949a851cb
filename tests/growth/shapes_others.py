"""Shapes of input where one of many is held against all others: names that resemble each other, values that Python builds, calls that stand
for statements, what is declared and never used: more rows of shapes.SHAPES."""
from shapes import HEAD, MODULE, PRIM, TIR, lines, main, shape
from shapes_many import ALL, FLOAT, FUNCTION, function


# ---- names

@shape(3000, ALL)
def parameters_named_as_their_dimensions(n):
    return MODULE + "    @R.function\n    def main(" + ", ".join(f'x{i}: R.Tensor(("x{i}",), "float32")' for i in range(n)) + "):\n        return x0\n"


@shape(4000, ALL)
def parameters_of_one_dimension(n):
    return MODULE + "    @R.function\n    def main(" + ", ".join(f'x{i}: R.Tensor(("n", "n"), "float32")' for i in range(n)) + "):\n        n = T.int64()\n        y = R.zeros((n,), 'float32')\n        return y\n"


@shape(2000, ALL)
def names_that_nearly_exist(n):
    return function(lines(n, "        value_of_step_{i} = R.add(x, valeu_of_step_{p})\n"))


@shape(1500, ALL)
def siblings_that_nearly_exist(n):
    return MODULE + lines(n, f"    @R.function\n    def step_{{i}}(x: {FLOAT}) -> {FLOAT}:\n        y = M.stepp_{{i}}(x)\n        return y\n")


@shape(8000, ALL)
def names_from_one_module(n):
    return "from a import (" + ", ".join(f"name{i}" for i in range(n)) + ")\n" + function(lines(n // 4, "        y{i} = R.add(x, name{i})\n"))


@shape(3000, ALL)
def names_deleted(n):
    return function(lines(n, "        y{i} = R.add(x, x)\n        del y{i}\n"))


@shape(60, ALL)
def long_names_used_often(n):
    name = "n" * 2000
    return function("".join(f"        {name}{i} = R.add(x, x)\n        y{i} = R.add({name}{i}, {name}{i})\n" for i in range(n)))


@shape(20000, ALL)
def codes_of_one_suppression(n):
    return function("        y = R.foo(x)  # rlx: ignore[" + ", ".join(f"RLX{i % 10000:04}" for i in range(n)) + "]\n")


@shape(1500, ALL)
def modules_of_one_name(n):
    return HEAD + lines(n, f"@I.ir_module\nclass M:\n    @R.function\n    def f(x: {FLOAT}) -> {FLOAT}:\n        y = M.f(x)\n        return y\n")


@shape(1500, ALL)
def symbols_of_one_name(n):
    return MODULE + lines(n, "    @R.function\n    def f{i}(x: R.Tensor((\"n\", \"m\"), 'float32')):\n        R.func_attr({{\"global_symbol\": \"same\"}})\n        n = T.int64()\n        return R.zeros((n,), 'float32')\n")


# ---- what Python makes

@shape(2500, ALL)
def lists_made_large(n):
    return HEAD + lines(n, "l{i} = [{i}] * 65536\n") + function("        return x\n").replace(HEAD, "")


@shape(2500, ALL)
def texts_made_large(n):
    return HEAD + lines(n, 's{i} = "a{i}" * 16384\n') + function("        return x\n").replace(HEAD, "")


@shape(2500, ALL)
def lists_made_large_inside(n):
    return function(lines(n, "        l{i} = [x] * 65536\n"))


@shape(2500, ALL)
def comprehensions_made_large(n):
    return function(lines(n, "        l{i} = R.shape([k + {i} for k in range(60000)])\n"))


@shape(1500, ALL)
def lambdas_that_call_twice(n):
    return HEAD + "g0 = lambda a: a\n" + lines(n, "g{i} = lambda a: g{p}(g{p}(a))\n") + function(f"        y = R.add(x, g{n}(x))\n        return y\n").replace(HEAD, "")


@shape(1500, ALL)
def lambdas_inside_that_call_twice(n):
    return function("        g0 = lambda a: R.add(a, a)\n" + lines(n, "        g{i} = lambda a: g{p}(g{p}(a))\n") + f"        y = g{n}(x)\n")


@shape(4000, ALL)
def numbers_squared(n):
    return HEAD + "k0 = 3\n" + lines(n, "k{i} = k{p} * k{p} + {i}\n") + function(f"        y = R.zeros((k{n},), 'float32')\n").replace(HEAD, "")


@shape(3000, ALL)
def shifts_and_powers(n):
    return function(lines(n, "        y{i} = R.zeros((1 << {i}0, 10 ** {i}, 7 ** 7 ** {i}), 'float32')\n"))


@shape(40, ALL)
def long_numbers(n):
    return function("".join(f"        y{i} = R.const({'9' * 8000}, 'float32')\n        z{i} = R.const(1.{'3' * 8000}, 'float32')\n" for i in range(n)))


# ---- values and calls

@shape(3000, ALL)
def variables_of_one_cast(n):
    return function("        t = R.call_packed('f', x, sinfo_args=R.Object)\n" + lines(n, "        n{i} = T.int64()\n")
                    + "        c = R.match_cast(t, R.Shape([" + ", ".join(f"n{i + 1}" for i in range(n)) + "]))\n")


@shape(2000, ALL)
def outputs_of_one_call(n):
    return (MODULE + "    @T.prim_func\n    def p(" + ", ".join(f'b{i}: T.Buffer(({i + 1},), "float32")' for i in range(n + 1)) + "):\n        b0[0] = T.float32(0)\n"
            + FUNCTION + "        y = R.call_tir(M.p, (x,), [" + ", ".join(f'R.Tensor(({i + 2},), "float32")' for i in range(n)) + "])\n        return y\n")


@shape(4000, ALL)
def results_never_used(n):
    return function("        with R.dataflow():\n" + lines(n, "            y{i} = R.split(x, 2)\n            z{i} = y{i}[0]\n") + "            R.output()\n")


@shape(3000, ALL)
def outputs_named_again(n):
    return function("        with R.dataflow():\n            y = R.add(x, x)\n            R.output(" + ", ".join(["y"] * n) + ")\n" + lines(n, "        z{i} = R.add(y, y)\n"))


@shape(2000, ALL)
def texts_with_dimensions(n):
    return function(lines(n, '        y{i}: R.Tensor(("n * {i} + 1", "(n + {i}) // 2"), "float32") = R.call_packed("f", x)\n'))


@shape(3000, ALL)
def dictionary_of_one_key(n):
    return function("        R.func_attr({" + ", ".join('"a": 1' for _ in range(n)) + "})\n" + lines(n, '        y{i} = R.call_packed("f", x, a={i}, sinfo_args=R.Object)\n'))


# ---- PrimFuncs

@shape(24, TIR)
def macros_that_call_twice(n):
    return HEAD + "@T.macro\ndef m0(A, i):\n    A[i] = A[i] + T.float32(1)\n" + "".join(
        f"@T.macro\ndef m{i}(A, i):\n    m{i - 1}(A, i)\n    m{i - 1}(A, i)\n" for i in range(1, n + 1)) + PRIM + f"    for i in range(64):\n        m{n}(A, i)\n"


@shape(1500, TIR)
def macros_in_a_row(n):
    return HEAD + "@T.macro\ndef m(A, B, i):\n    for j in range(4):\n        A[i] = B[i] + T.float32(1)\n" + PRIM + lines(n, "    for i{i} in range(64):\n        m(A, B, i{i})\n")


@shape(1500, TIR)
def axes_of_one_block(n):
    names = [f"v{i}" for i in range(n)]
    return (HEAD + PRIM + "    for " + ", ".join(f"i{i}" for i in range(n)) + " in T.grid(" + ", ".join("2" for _ in names) + "):\n        with T.block('b'):\n            "
            + ", ".join(names) + " = T.axis.remap(\"" + "S" * n + "\", [" + ", ".join(f"i{i}" for i in range(n)) + "])\n            B[v0] = A[v1]\n")


@shape(2000, TIR)
def selections_in_selections(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(n, "        B[i] = T.if_then_else(i < {i}, T.Select(i > {i}, A[i], B[i]), T.max(A[i], T.min(B[i], T.float32({i}))))\n")


@shape(1500, TIR)
def threads_bound_again(n):
    return HEAD + PRIM + lines(n, "    for i{i} in T.thread_binding(64, thread='threadIdx.x'):\n        with T.block('b{i}'):\n            v = T.axis.spatial(64, i{i})\n            B[v] = A[v]\n")


@shape(1500, TIR)
def attributes_around_statements(n):
    return HEAD + PRIM + lines(n, "    with T.attr(A.data, 'storage_alignment', {i}):\n        B[{i} % 64] = A[{i} % 64]\n")


@shape(1500, TIR)
def buffers_over_one_pointer(n):
    return HEAD + PRIM + lines(n, "    C{i} = T.decl_buffer((64,), 'float32', data=A.data)\n    C{i}[{i} % 64] = C{i}[0] + B[0]\n")


@shape(1500, TIR)
def blocks_that_read_all_of_a_buffer(n):
    return HEAD + PRIM + lines(n, "    for i, j in T.grid(64, 64):\n        with T.block('b{i}'):\n            v, u = T.axis.remap('SR', [i, j])\n            T.reads(A[0:64], B[0:64])\n            T.writes(B[v])\n            with T.init():\n                B[v] = T.float32(0)\n            B[v] = B[v] + A[u]\n")


@shape(1500, TIR)
def loops_with_annotations(n):
    return HEAD + PRIM + "    for i in T.serial(64, annotations={" + ", ".join(f'"k{i}": {i}' for i in range(n)) + "}):\n        B[i] = A[i]\n" + lines(
        n, "    for i{i} in T.unroll(4, annotations={{\"a\": {i}}}):\n        B[i{i}] = A[i{i}]\n")


@shape(1500, TIR)
def symbols_of_buffers(n):
    return (HEAD + "@T.prim_func\ndef f(" + ", ".join(f"a{i}: T.handle" for i in range(n)) + "):\n" + "".join(f"    n{i} = T.int64()\n" for i in range(n))
            + "".join(f"    A{i} = T.match_buffer(a{i}, (n{i}, n{(i * 7) % n}), 'float32')\n" for i in range(n)) + "    A0[0, 0] = T.float32(1)\n")


@shape(1500, TIR)
def calls_of_other_functions(n):
    return (HEAD + "@T.prim_func(private=True)\ndef g(A: T.Buffer((64,), 'float32'), i: T.int32):\n    A[i] = T.float32(1)\n" + PRIM
            + lines(n, "    g(A.data, {i})\n    T.evaluate(T.call_extern('int32', 'f{i}', A.data, {i}))\n"))


@shape(1500, TIR)
def conditions_in_a_row(n):
    return HEAD + PRIM + "    for i in range(64):\n        with T.block('b'):\n            v = T.axis.spatial(64, i)\n            T.where(" + " and ".join(f"i * {i + 1} < {i + 100}" for i in range(n)) + ")\n            B[v] = A[v]\n"


@shape(2500, ALL)
def lists_made_large_and_used(n):
    return HEAD + lines(n, "l{i} = [{i}] * 65536\n") + function(lines(n, "        y{i} = R.zeros((l{i}[7],), 'float32')\n")).replace(HEAD, "")


@shape(2500, ALL)
def comprehensions_that_keep_nothing(n):
    return function(lines(n, "        l{i} = [k for k in range(30000) if k > 99999]\n"))


@shape(1500, TIR)
def lets_of_one_name(n):
    return HEAD + PRIM + lines(n, "    v = T.int32({i})\n    w: T.int32 = v + {i}\n    B[w % 64] = A[v % 64]\n")


@shape(2500, ALL)
def texts_made_large_inside(n):
    return function('        s0 = "abcdefgh"\n' + lines(16, "        s{i} = s{p} + s{p}\n") + lines(n, '        t{i} = s13 + "{i}"\n        y{i} = R.call_packed(t{i}, x)\n'))


@shape(3000, ALL)
def constants_that_count_down(n):
    return HEAD + f"k{n + 1} = 4\n" + "".join(f"k{i} = k{i + 1} + 0\n" for i in range(n, 0, -1)) + "# here\n" + "".join(
        f"j{i} = j{i + 1} + 0\n" for i in range(1, n)) + f"j{n} = 4\n" + function("        y = R.zeros((k1,), 'float32')\n").replace(HEAD, "")


@shape(3000, ALL)
def packed_calls_above_attributes(n):
    return function(lines(n, '        y{i} = R.call_packed("f", x, sinfo_args=R.Object)\n') + lines(n, '        R.func_attr({{"k{i}": {i}}})\n')
                    + '        R.func_attr({"relax.force_pure": True})\n')


@shape(2000, TIR)
def scalars_inside_of_loops(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(n, "        i = T.int32({i})\n        B[i % 64] = A[i % 64]\n")


@shape(1500, TIR)
def buffers_never_declared(n):
    return HEAD + PRIM + lines(n, "    C{i} = T.Buffer((64,), 'float32')\n") + lines(n, "    B[{i} % 64] = A[{i} % 64]\n")


@shape(1500, TIR)
def views_of_the_last_buffer(n):
    return HEAD + PRIM + lines(n, "    C{i} = T.alloc_buffer((64,), 'float32')\n") + lines(n, f"    D{{i}} = T.decl_buffer((64,), 'float32', data=C{n}.data)\n    B[{{i}} % 64] = D{{i}}[0]\n")


@shape(1500, TIR)
def blocks_far_from_their_loop(n):
    return HEAD + PRIM + "    for i in range(64):\n" + lines(n, "        w{i} = T.int32({i})\n") + lines(
        n, "        with T.block('b{i}'):\n            v = T.axis.remap('S', [i])\n            B[v] = A[v]\n")


@shape(2000, ALL)
def errors_and_codes_of_one_line(n):
    return function("        " + "; ".join(f"y{i} = R.foo{i % 7}(x)" for i in range(n)) + "  # rlx: ignore[" + ", ".join(f"RLX{i % 10000:04}" for i in range(n)) + "]\n")


@shape(2000, ALL + ("print --dialect=0.27",))
def dimensions_through_a_call(n):
    """More of them than are followed from a callee's result to its caller's arguments."""
    given = ", ".join(f'x{i}: R.Tensor(("a{i}",), "float32")' for i in range(n))
    result = "R.Tuple(" + ", ".join(f'R.Tensor(("a{i}",), "float32")' for i in range(n)) + ")"
    values = ", ".join(f"x{i}" for i in range(n))
    return MODULE + f"    @R.function\n    def g({given}) -> {result}:\n        return ({values})\n    @R.function\n    def main({given}):\n        cls = M\n        y = cls.g({values})\n        return y\n"


@shape(3000, ALL + ("print --dialect=0.27",))
def scalars_that_are_dimensions(n):
    return MODULE + "    @R.function\n    def main(" + ", ".join(f'x{i}: R.Prim(value="a{i}")' for i in range(n)) + "):\n        return x0\n"


@shape(2000, TIR + ("print --dialect=0.27",))
def handles_with_dimensions(n):
    return (HEAD + "@T.prim_func\ndef f(" + ", ".join(f"a{i}: T.handle" for i in range(n)) + "):\n"
            + lines(n - 1, '    n{i} = T.int64()\n    A{i} = T.match_buffer(a{i}, (n{i},), "float32")\n') + "    A1[0] = T.float32(0)\n")


@shape(2000, ALL)
def decorators_that_are_misspelt(n):
    return HEAD + lines(n, f"@R.function\n@T.prim_func\n@R.functoin\ndef f{{i}}(x: {FLOAT}):\n    return x\n")


# ---- what is written once and stands in thousands of statements by its name

def items(n, form):
    return ", ".join(form.format(i=i) for i in range(n))


@shape(3000)
def uses_of_a_wide_list(n):
    return HEAD + f"L = [{items(n, '{i}')}]\n" + function(lines(n, "        y{i} = R.reshape(x, L)\n")).replace(HEAD, "")


@shape(3000)
def uses_of_a_wide_dict(n):
    return HEAD + "D = {" + items(n, "'k{i}': {i}") + "}\n" + lines(n, "@R.function\ndef f{i}(x: R.Object):\n    R.func_attr(D)\n    return x\n")


@shape(3000, ("check", "server", "requests"))
def uses_of_a_wide_tuple(n):
    return function(f"        t = ({items(n, 'x')})\n" + lines(n, "        y{i} = R.concat(t)\n        z{i} = M.main(*t)\n        a{i}, *_ = t\n"))


@shape(1500)
def devices_of_many_modules(n):
    return HEAD + f"L = [{items(n, 'I.vdevice(0, {i})')}]\n".replace("0,", "'cuda',") + lines(
        n, "@I.ir_module\nclass M{i}:\n    I.module_global_infos({{'vdevice': L}})\n    @R.function\n    def main(x: R.Object):\n        return x\n")


@shape(2500)
def lists_compared_with_the_last(n):
    return HEAD + "a0 = (1, (2, 3))\n" + lines(n, "a{i} = (a{p}, a{p})\nb{i} = a{i} == a{p}\nc{i} = max(a{i}, a{p})\n") + function(
        f"        y = R.reshape(x, (b{n},))\n").replace(HEAD, "")


@shape(3000, TIR)
def shifted_axes_of_one_block(n):
    return HEAD + PRIM + "    for i in range(64):\n        with T.block(\"b\"):\n" + lines(
        n, "            v{i} = T.axis.spatial(64, i + {i})\n") + "            B[v1] = A[v2]\n"
