"""Shapes of input that are many of what the others have one of: chains of aliases, captures, attributes, names of blocks, circles of
imports, projects of tiny files: more rows of shapes.SHAPES."""
import io
import struct
import zipfile

from shapes import HEAD, MODULE, PRIM, SHAPES, TIR, Shape, lines, main, shape
from shapes_many import ALL, FLOAT, FUNCTION, function

SCALAR = 'c: R.Tensor((), "bool")'


# ---- names and functions

@shape(4000, ALL)
def aliases_of_aliases(n):
    return function("        y0 = x\n" + lines(n, "        y{i} = y{p}\n"), f"y{n}")


@shape(4000, ALL)
def aliases_outside(n):
    return HEAD + "a0 = R\n" + lines(n, "a{i} = a{p}\n") + f"@a{n}.function\ndef main(x: {FLOAT}):\n    return a{n}.add(x, x)\n"


@shape(1000, ALL)
def branches_that_choose_a_name(n):
    return MODULE + f"    @R.function\n    def main(x: {FLOAT}, {SCALAR}):\n        y = x\n" + lines(
        n, "        if c:\n            y = R.add(y, x)\n        else:\n            y = R.multiply(y, x)\n") + "        return y\n"


@shape(600, ALL)
def functions_that_capture(n):
    return function("        y0 = x\n" + lines(
        n, f"        @R.function\n        def g{{i}}(a: {FLOAT}) -> {FLOAT}:\n            return R.add(a, y{{p}})\n        y{{i}} = g{{i}}(y{{p}})\n"), f"y{n}")


@shape(6000, ALL)
def functions_of_one_name(n):
    return MODULE + lines(n, f"    @R.function\n    def f(x: {FLOAT}):\n        return R.add(x, x)\n")


@shape(1000, ALL)
def functions_that_call_all_before(n):
    """Each calls the first one, the last one and one that does not exist."""
    return MODULE + f"    @R.function\n    def f0(x: {FLOAT}) -> {FLOAT}:\n        return x\n" + lines(
        n, f"    @R.function\n    def f{{i}}(x: {FLOAT}) -> {FLOAT}:\n        cls = M\n        y = cls.f0(x)\n        z = cls.f{{p}}(y)\n        return cls.g{{i}}(z)\n")


@shape(2000, ALL)
def many_parameters_of_many_dimensions(n):
    return MODULE + "    @R.function\n    def main(" + ", ".join(f'x{i}: R.Tensor(("a{i}", "b{i}"), "float32")' for i in range(n)) + "):\n        y = R.add(x0, x1)\n        return y\n"


@shape(2000, ALL)
def attributes_and_global_infos(n):
    return (MODULE + "    I.module_attrs({" + ", ".join(f'"a{i}": {i}' for i in range(n)) + "})\n"
            + "    I.module_global_infos({\"vdevice\": [" + ", ".join(f'I.vdevice("llvm", {i})' for i in range(n)) + "]})\n" + FUNCTION + "        return x\n")


@shape(2000, ALL)
def devices(n):
    return (MODULE + "    I.module_global_infos({\"vdevice\": [" + ", ".join(f'I.vdevice("llvm", {i})' for i in range(n)) + "]})\n" + FUNCTION
            + "".join(f'        y{i} = R.to_vdevice(x, I.vdevice("llvm:{i}"))\n' for i in range(n)) + "        return x\n")


# ---- comments

@shape(4000, ALL)
def comments_of_rlx_that_say_nothing(n):
    return function(lines(n, "        # rlx: nonsense{i}\n        y{i} = R.add(x, x)  # rlx: ignore[RLX9{i}, no-such-rule, RLX0201]\n"))


@shape(3000, ALL)
def suppressions_of_files(n):
    return lines(n, "# rlx: ignore-file[RLX0{i}]\n") + function(lines(n, "        y{i} = R.add(x, z{i})\n"))


# ---- values

@shape(20000, ALL)
def a_long_constant(n):
    return function("        y = R.const([" + ", ".join(f"{i}.5" for i in range(n)) + '], "float32")\n        z = R.const([' + "[1, 2], " * n + '], "int32")\n')


@shape(4000, ALL)
def dimensions_of_one_shape(n):
    return function("        s = R.shape([" + ", ".join(str(i) for i in range(n)) + "])\n        y = R.reshape(x, s)\n        z = R.zeros((" + "1, " * n + '), "float32")\n'
                    "        w = R.squeeze(z)\n        v = R.permute_dims(z)\n        u = R.broadcast_to(x, z)\n")


@shape(400, ALL)
def deep_dictionaries(n):
    deep = '{"a": ' * 80 + "1" + "}" * 80
    return MODULE + lines(n, f'    @R.function\n    def f{{i}}(x: {FLOAT}):\n        R.func_attr({deep.replace("{", "{{").replace("}", "}}")})\n        return x\n')


@shape(100, ALL)
def wide_tuples_again_and_again(n):
    """A wide value that many lines have, rightly and wrongly annotated."""
    return function("        t = (" + "x, " * (20 * n) + ")\n" + lines(n, "        y{i} = t\n        z{i}: R.Tensor = t\n        a{i}: R.Tuple = (t, t)\n"))


@shape(1000, ALL)
def packed_calls(n):
    return function(lines(n, f'        y{{i}} = R.call_packed("f{{i}}", x, {{i}}, "a{{i}}", a={{i}}, sinfo_args=[{FLOAT}, {FLOAT}])\n        z{{i}} = y{{i}}[0]\n'))


@shape(1000, ALL)
def pure_packed_and_inplace(n):
    return function(lines(n, f'        y{{i}} = R.call_pure_packed("f", x, sinfo_args={FLOAT})\n        z{{i}} = R.call_inplace_packed("g", x, inplace_indices=[0], sinfo_args=[{FLOAT}])\n'))


# ---- PrimFuncs

BLOCK = '        with T.block("b"):\n            v = T.axis.spatial(64, i)\n'


@shape(1000, TIR + ("print", "normalize"))
def blocks_of_one_name(n):
    return HEAD + PRIM + lines(n, "    for i in range(64):\n" + BLOCK + "            A[v] = B[v]\n")


@shape(500, TIR)
def buffers_matched_in_a_block(n):
    return HEAD + PRIM + "    for i in range(64):\n" + BLOCK + lines(n, "            C{i} = T.match_buffer(A[v:v + 1], (1,), \"float32\")\n") + f"            C{n}[0] = B[v]\n"


@shape(500, TIR)
def allocations_in_a_block(n):
    return HEAD + PRIM + '    with T.block("root"):\n' + lines(n, "        C{i} = T.alloc_buffer((64,), \"float32\")\n") + lines(
        n, "        for i in range(64):\n            with T.block(\"b{i}\"):\n                v = T.axis.spatial(64, i)\n                C{i}[v] = B[v]\n")


@shape(3000, TIR)
def dimensions_of_a_buffer(n):
    return HEAD + "@T.prim_func\ndef f(A: T.Buffer((" + "2, " * n + '), "float32")):\n    A[' + "0, " * n + "] = T.float32(0)\n"


@shape(2000, TIR)
def parameters_of_a_prim_func(n):
    return HEAD + "@T.prim_func\ndef f(" + ", ".join(f"a{i}: T.int32, b{i}: T.handle" for i in range(n)) + "):\n" + lines(
        n - 1, "    B{i} = T.match_buffer(b{i}, (a{i},), \"float32\")\n")


@shape(1000, TIR)
def assertions_and_attributes(n):
    return HEAD + PRIM + lines(n, '    assert A[{i} % 64] > T.float32({i}), "a{i}"\n    T.attr(A.data, "k{i}", {i})\n    T.evaluate(T.call_extern("int32", "f{i}", {i}))\n')


@shape(500, TIR)
def uses_of_loops_inside_of_blocks(n):
    return HEAD + PRIM + "    for j in range(64):\n        with T.block(\"a\"):\n            T.reads()\n            T.writes()\n" + lines(
        n, "            for i in range(64):\n                with T.block(\"b{i}\"):\n                    v = T.axis.spatial(64, i)\n                    T.where(j < {i})\n                    A[v] = B[j]\n")


# ---- projects

@shape(300, ("files",))
def circles_of_imports(n):
    files = {f"m{i}.py": f"from m{(i + 1) % n} import a as b{i}, b{(i + 1) % n} as a\nfrom m{(i + 7) % n} import *\n" + main(
        f"        y = R.reshape(x, (a, b{i}))\n", "y") for i in range(n)}
    return {**files, "args": ["check", "."]}


@shape(1000, ("files",))
def tiny_files(n):
    return {**{f"m{i}.py": HEAD + f"@R.function\ndef f{i}(x: {FLOAT}):\n    return R.add(x, y)\n" for i in range(n)}, "rlx.toml": "", "args": ["check", "."]}


@shape(500, ("files",))
def imports_of_project_files(n):
    return {**{f"m{i}.py": f"N{i} = {i}\n" for i in range(n)}, "a.py": "".join(f"from m{i} import N{i}\n" for i in range(n)) + main(
        "".join(f"        y{i} = R.zeros((N{i},), \"float32\")\n" for i in range(n))), "args": ["check", "a.py"]}


@shape(10000, ("files",))
def loops_asked_again(n):
    script = HEAD + PRIM + "    for i in range(64):\n" + BLOCK + "            A[v] = B[v]\n"
    return {"a.py": script, "t.py": 'b = sch.get_block("b")\n' + "l, = sch.get_loops(b)\n" * n, "args": ["schedule", "--no-text", "a.py", "t.py"]}


def array(data):
    out = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(data)},), }}".encode()
    out += b" " * (63 - (10 + len(out)) % 64) + b"\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(out)) + out + data


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members:
            z.writestr(name + ".npy", array(data))
    return {"a.npz": out.getvalue(), "input": 'w = load("a.npz")\n', "args": ["repl", "--no-history"], "code": (0,)}


@shape(2000, ("files",))
def variables_with_fields_of_names(n):
    return archive([m for i in range(n) for m in ((f"w{i}.0", b"1"), (f"w{i}#tuple", b"1"), (f"w{i}#names", b"a%d\0" % i))])


@shape(20000000, ("files",))
def names_of_no_fields(n):
    return archive([("w.0", b"1"), ("w#names", bytes(n))])


STEPS = {  # of a trace about block `b`, its loop `l`: the lists, names and trees that grow with each
    "annotations_of_a_loop": 'sch.annotate(l, "k{i}", {i})\n',
    "annotations_of_two": 'sch.annotate(l, "k{i}", {i})\nsch.annotate(b, "k{i}", "x")\n',
    "annotations_put_and_taken": 'sch.annotate(b, "k{i}", {i})\nsch.annotate(b, "j", {i})\nsch.unannotate(b, "j")\n',
    "memories_of_a_buffer": 'sch.set_scope(c, 0, "shared")\nsch.set_scope(c, 0, "local")\n',
    "dtypes_of_a_buffer": 'sch.unsafe_set_dtype(c, 0, "float16")\nsch.unsafe_set_dtype(c, 0, "float32")\n',
    "fused_alone": "l = sch.fuse(l)\n",
}


def grown_by_steps(step):
    def make(n):
        script = HEAD + PRIM + "".join(
            f'    {extra}for i in range(64):\n        with T.block("{name}"):\n            v = T.axis.spatial(64, i)\n            {to}[v] = {of}[v] * T.float32(2)\n'
            for name, to, of, extra in (("c", "C", "B", "C = T.alloc_buffer((64,))\n    "), ("b", "A", "C", "")))
        return {"a.py": script, "t.py": 'b = sch.get_block("b")\nc = sch.get_block("c")\nl, = sch.get_loops(b)\n' + lines(n, step),
                "args": ["schedule", "--no-text", "a.py", "t.py"]}
    return make


for name, step in STEPS.items():
    SHAPES[name] = Shape(grown_by_steps(step), 10000 if name == "fused_alone" else 4000, ("files",))  # names grow as TVM's do


@shape(400, ("files",))
def steps_of_many_blocks(n):
    """Each looks at all of the PrimFunc."""
    script = HEAD + PRIM + lines(n, '    for i{i} in range(64):\n        with T.block("b{i}"):\n            v = T.axis.spatial(64, i{i})\n            A[v] = B[v]\n')
    return {"a.py": script, "t.py": 'b = sch.get_block("b0")\n' + 'sch.annotate(b, "k", 1)\nsch.unannotate(b, "k")\n' * 2000,
            "args": ["schedule", "--no-text", "a.py", "t.py"]}


@shape(8000, TIR)
def annotations_of_a_block(n):
    return (HEAD + PRIM + '    for i in range(64):\n        with T.block("b"):\n            v = T.axis.spatial(64, i)\n            T.block_attr({'
            + lines(n, '"k{i}": {i}, ') + "})\n            A[v] = B[v]\n")


@shape(40000)
def targets_chained_in_a_line(n):  # one statement with as many definitions of one name
    return function("        " + "y = " * n + "x\n")


@shape(2000)
def casts_to_dimensions_of_their_own(n):  # each can be annotated where its own is declared
    return function(lines(n, "        m{i} = T.int64()\n        y{i} = R.match_cast(x, R.Tensor((m{i}, 4), 'float32'))\n"
                             "        z{i} = R.add(y{i}, y{i})\n"))


@shape(3000)
def branches_that_pair_the_last(n):  # annotations of all bindings would be thousands of long texts
    return function("        c = R.const(True)\n        t0 = x\n" + lines(
        n, "        if c:\n            t{i} = (t{p}, x)\n        else:\n            t{i} = (t{p}, x)\n"))
