"""Shapes of scripts that somebody works at: 200 questions all over them, with edits in between (growth.requests); more rows of shapes.SHAPES."""
from shapes import HEAD, PRIM, lines, shape
from shapes_many import FLOAT

ASKED = ("check", "requests")


# ---- many modules and classes

@shape(8000, ASKED)
def modules_without_functions(n):  # their dialect is that of what stands around them all
    return HEAD + lines(n, "@I.ir_module\nclass M{i}:\n    class N{i}:\n        a = {i}\n")


@shape(4000, ASKED)
def modules_nested_in_modules(n):
    return HEAD + lines(n, "@I.ir_module\nclass M{i}:\n    @I.ir_module\n    class A{i}:\n        @I.ir_module\n        class B{i}:\n            pass\n")


@shape(12000, ASKED)
def modules_of_the_last_module(n):
    return HEAD + "class M0: pass\n" + lines(n, "@I.ir_module\nclass M{i}(M{p}): pass\n")


@shape(4000, ASKED)
def modules_nested_in_a_class(n):
    return HEAD + "class C:\n" + lines(n, f"    @I.ir_module\n    class A{{i}}:\n        @R.function\n        def f(x: {FLOAT}):\n            return A{{p}}\n")


@shape(4500, ASKED)
def inherited_classes(n):
    return HEAD + "class M0:\n    pass\n" + lines(n, f"@I.ir_module\nclass M{{i}}(M{{p}}):\n    @R.function\n    def f{{i}}(x: {FLOAT}):\n        return x\n")


@shape(3000, ASKED)
def modules_of_missing_functions(n):
    return HEAD + lines(n, f"@I.ir_module\nclass M{{i}}:\n    @R.function\n    def f(x: {FLOAT}):\n        y = M{{i}}.g{{i}}(x)\n        z = missing{{i}}(y)\n        return z\n")


@shape(3500, ASKED)
def schedules_in_a_class(n):
    return HEAD + "import tvm\n" + PRIM + "    for i in range(64):\n        with T.block('b'):\n            v = T.axis.spatial(64, i)\n            A[v] = B[v]\nclass C:\n" + lines(
        n, "    def s{i}(self):\n        sch = tvm.tir.Schedule(f)\n        b = sch.get_block('b')\n        l, = sch.get_loops(b)\n        sch.parallel(l)\n")


# ---- one name with many meanings

@shape(6500, ASKED)
def same_function_names(n):  # each use looks for the one above it
    return HEAD + lines(n, f"@R.function\ndef f(x: {FLOAT}):\n    y = f(x)\n    return y\n")


@shape(8000, ASKED)
def decorator_bound_again(n):
    return HEAD + lines(n, "d = {i}\n@d\n@R.function\ndef f{i}(x): return x\n")


@shape(5500, ASKED)
def name_bound_where_conditions_hold(n):
    return HEAD + lines(n, "if {i} % 2:\n    k = {i}\n@R.function\ndef f{i}(x): return R.zeros((k,), 'float32')\n")


@shape(5500, ASKED)
def name_used_above_all_its_bindings(n):
    return HEAD + lines(n, "@R.function\ndef f{i}(x): return R.zeros((k,), 'float32')\n") + lines(n, "if {i} % 2:\n    k = {i}\n") + lines(n, "k = {i}\n")


@shape(8000, ASKED)
def tlc_pack_matches(n):
    return HEAD + "@R.function\ndef main(x: Tensor(_, 'float32')):\n" + lines(n, "    R.match_shape(x, (n{i}, m{i}))\n    y{i} = R.add(x, x)\n") + "    return x\n"


@shape(6000, ASKED)
def symbols_of_one_function(n):  # what a symbol stands for was looked for among all of them, for each use of one
    return HEAD + f"@R.function\ndef main(x: R.Tensor(('n', 4), 'float32')):\n    n = T.int64()\n" + lines(n, "    m{i} = T.int64()\n") + lines(
        n, '    y{i} = R.zeros((n + {i},), "float32")\n') + "    return x\n"
