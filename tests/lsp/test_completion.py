"""Completion and signature help by the place of the cursor, in text that is half typed. A bar (│) marks the cursor."""
import re

from lsprotocol import types as t

from session import applied, ask, here, open_text, whole_items

SCRIPT = '''\
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def scale(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
        C = T.sblock_alloc_buffer((4, 8))
        for i, j in T.grid(4, 8):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                IN_PRIM

    @T.prim_func(s_tir=True)
    def rows(a: T.handle, b: T.handle, c: T.handle):
        m, k = T.int64(), T.int64()
        A = T.match_buffer(a, (m, 8))
        B = T.match_buffer(b, (8, k))
        C = T.match_buffer(c, (m, k))
        for i, j, r in T.grid(m, k, 8):
            with T.sblock("C"):
                vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vr] * B[vr, vj]

    @R.function
    def helper(a: R.Tensor((4, 8), "float32"), b: R.Tensor((4, 8), "float32")) -> R.Tensor((4, 8), "float32"):
        return a

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32"), s: R.Shape(["n", 2])):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv = R.add(x, x)
            IN_RELAX
            R.output(lv)
        return lv
'''


def prim(line):
    return SCRIPT.replace("IN_PRIM", line).replace("            IN_RELAX\n", "")


def relax(line):
    return SCRIPT.replace("IN_RELAX", line).replace("IN_PRIM", "B[vi, vj] = A[vi, vj]")


def below(text):
    return relax("lv2 = R.add(lv, lv)") + text


async def offers(client, marked):
    """The items in the order that a client shows them, and the text without the mark."""
    before, _, after = marked.partition("│")
    open_text(client, before + after)
    position = t.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)
    found = await ask(client.text_document_completion_async(t.CompletionParams(**here(client, position))))
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    return sorted(whole_items(client, found), key=lambda i: (i.sort_text, i.label)), before + after


# (text, what has to be offered, what must not be, what comes first)
PLACES = {
    "dimensions in a list": (relax("y = R.reshape(x, R.shape([│]))"), {"n"}, {"R.output"}, "n"),
    "dimensions in an annotation": (relax('y = R.match_cast(x, R.Tensor(("│'), {"n"}, {"x", "float32"}, "n"),
    "no tensor among dimensions": (relax("y = R.reshape(x, R.shape([n, │]))"), {"n"}, {"x", "w", "lv", "s"}, "n"),
    "no tensor in a list that is a shape": (relax("y = R.reshape(x, (4, │))"), {"n"}, {"x", "w", "lv", "s"}, "n"),
    "no tensor as an axis": (relax("y = R.sum(x, axis=│)"), {"None"}, {"x", "w", "lv"}, "None"),
    "the operand that the other one fits": (relax('k = R.zeros((2, 8), "float32")\n            y = R.matmul(k, │)'), {"k", "x", "w", "lv"}, set(), "lv"),
    "an operand of the same shape": (relax("y = R.add(w, │"), {"x", "w", "lv"}, set(), "w"),
    "what a function of the module takes": (relax('k = R.zeros((4, 8), "int8")\n            y = cls.helper(│'), {"k", "x", "w", "lv"}, set(), "lv"),
    "what a PrimFunc takes": (relax('k = R.zeros((4, 8), "float32")\n            q = R.zeros((3,), "float32")\n            y = R.call_tir(cls.scale, (│'), {"k", "q", "lv"}, set(), "k"),
    "no function among dimensions": (relax("y = R.reshape(x, R.shape([│]))"), {"n"}, {"cls", "Module", "cls.helper"}, "n"),
    "a block behind with": (relax("with │"), {"R.dataflow"}, {"x", "lv", "cls"}, "R.dataflow"),
    "a block behind with in a PrimFunc": (prim("with │"), {"T.sblock", "T.init"}, {"A", "vi"}, None),
    "members of a value among dimensions": (relax("y = R.reshape(x, (4, x.│"), {"ndim"}, {"x"}, None),
    "an operand by keyword": (relax('k = R.zeros((2, 8), "float32")\n            y = R.add(k, x2=│'), {"k", "x", "w", "lv"}, set(), "k"),
    "an operand that any name fits": (relax('k = R.zeros((2, 8), "float32")\n            y = R.add(│'), {"k", "x", "w", "lv"}, set(), "k"),
    "a dimension where a shape is wanted": (relax("y = R.broadcast_to(x, (│"), {"n", "s"}, set(), "n"),
    "a dtype where one stands": (relax('y: R.Tensor((n, 8), "│" = x'), {"float32", "int64", "bool"}, {"n", "x"}, "float32"),
    "a dtype by keyword": (relax('y = R.zeros((4,), dtype="bf│")'), {"bfloat16"}, {"int64"}, "bfloat16"),
    "a dtype of T": (prim('B[vi, vj] = T.Cast("│", A[vi, vj])'), {"float16"}, {"vi"}, "float32"),
    "values of an attribute": (relax('y = R.nn.conv2d(x, w, data_layout="│")'), {"NCHW", "NHWC"}, {"float32", "OIHW"}, "NCHW"),
    "values of another": (relax('y = R.nn.conv2d(x, w, kernel_layout="│")'), {"OIHW", "HWIO"}, {"NCHW"}, "OIHW"),
    "values that the row lists": (relax('y = R.scatter_elements(x, x, x, reduction="│")'), {"add", "update", "mul"}, {"float32"}, None),
    "values before the quote": (relax("y = R.nn.conv2d(x, w, data_layout=│)"), {'"NHWC"'}, {"strides="}, '"NCHW"'),
    "true and false": (relax("y = R.sum(x, keepdims=│)"), {"True", "False"}, {"axis="}, None),
    "a storage scope": (prim('D = T.sblock_alloc_buffer((4,), "float32", scope="│")'), {"shared", "local"}, {"float32"}, "global"),
    "a thread axis": (prim('for k in T.thread_binding(4, thread="thr│")'), {"threadIdx.x"}, {"blockIdx.x"}, None),
    "a thread axis behind the extent": (prim('for k in T.thread_binding(4, "│")'), {"threadIdx.x"}, {"k"}, None),
    "a thread axis before the quote": (prim("for k in T.thread_binding(4, │"), {'"threadIdx.x"', "thread="}, set(), None),
    "a field of an f-string": (relax("y = R.print(x, format=f'a{x}{l│}')"), {"lv"}, {"threadIdx.x"}, "lv"),
    "an operator in a field": (relax('z = f"{{}}{R.nn.re│'), {"relu"}, {"matmul"}, "relu"),
    "braces that are no field": (relax("z = f'{{│}}'"), set(), {"x", "lv"}, None),
    "braces of another string": (relax("z = r'{│}'"), set(), {"x", "lv"}, None),
    "behind a field": (relax("z = f'{x} │'"), set(), {"x", "lv"}, None),
    "loops that a block variable is bound to": (prim("x = T.axis.spatial(4, │"), {"i", "j", "vi", "binding="}, set(), "i"),
    "loops in a list": (prim('x, y = T.axis.remap("SS", [│'), {"i", "j", "vi"}, set(), "i"),
    "arguments of a decorator": (below("\n@R.function(│)\ndef f(k: R.Object):\n    return k\n"), {"private=", "pure="}, {"k"}, "private="),
    "flags of a decorator": (below("\n@R.function(pure=│)\ndef f(k: R.Object):\n    return k\n"), {"True", "False"}, {"k"}, None),
    "nothing in another string": (relax('y = R.print(x, format="│")'), set(), {"x", "float32"}, None),
    "members of cls": (relax("y = cls.│"), {"scale", "helper", "main"}, {"x", "R"}, None),
    "members of the module by name": (relax("y = Module.he│"), {"helper"}, {"x"}, "helper"),
    "operators": (relax("y = R.nn.re│"), {"relu", "relu6"}, {"matmul"}, "relu"),
    "by another name": ("from tvm import relax\nfrom tvm.script import relax as Q\n@Q.function\ndef f(x: Q.Tensor):\n    y = Q.nn.re│", {"relu"}, {"x"}, None),
    "what begins so comes first": (relax("y = R.mat│"), {"matmul", "match_cast"}, {"add"}, None),
    "letters in order": (relax("y = R.pdm│"), {"permute_dims"}, {"add"}, None),
    "variables of the right kind first": (relax("y = R.matmul(│"), {"lv", "x", "w", "s", "x1="}, {"a"}, "lv"),
    "arguments that are not given": (relax("y = R.sum(x, │)"), {"axis=", "keepdims="}, {"x="}, None),
    "arguments that are given by name": (relax("y = R.sum(x, axis=1, │)"), {"keepdims="}, {"axis="}, None),
    "a given one behind the cursor": (relax("y = R.sum(x, │, keepdims=True)"), {"axis="}, {"keepdims="}, None),
    "parameters of a function": (relax("y = cls.helper(│)"), {"a=", "b=", "lv"}, set(), None),
    "functions for call_tir": (relax("y = R.call_tir(│"), {"cls.rows", "cls.scale"}, set(), "cls.rows"),
    "external functions, not those of the module": (relax('y = R.call_packed("│'), {"vm.builtin.copy"}, {"x", "scale", "helper"}, None),
    "external functions that the file calls": (relax('z = R.call_pure_packed("my.lib.fft", x, sinfo_args=R.Tensor)\n        y = R.call_dps_packed("m│'), {"my.lib.fft"},
                                               {"scale", "helper", "m"}, "my.lib.fft"),
    "in a comment": (relax("y = x  # R.│"), set(), {"add"}, None),
    "in a docstring": (relax('"""R.│"""'), set(), {"add"}, None),
    "in a number": (relax("y = R.add(x, 3│"), set(), {"x"}, None),
    "behind a tensor": (relax("y = x.│"), {"struct_info"}, {"add", "relu", "x"}, None),
    "where a name is given": (relax("def │"), set(), {"x", "R"}, None),
    "an unknown namespace": (relax("y = torch.│"), set(), {"x", "add"}, None),
    "outputs": (relax("R.output(│"), {"lv"}, {"x", "n", "R"}, "lv"),
    "keys of attributes": (relax('R.func_attr({"│'), {"global_symbol"}, {"x"}, None),
    "buffers, loops and block variables": (prim("│"), {"A", "B", "C", "vi", "vj", "i", "j"}, {"x", "lv", "cls"}, None),
    "indices": (prim("B[│"), {"vi", "vj", "A"}, {"x"}, "vi"),
    "further indices": (prim("B[vi, vj] = A[vi, │"), {"vj", "i", "j", "B"}, {"x"}, "vi"),
    "a block behind with and R": (relax("with R.│"), {"dataflow"}, {"add", "nn"}, "dataflow"),
    "keys of a block's attributes": (prim('T.sblock_attr({"│'), {"meta_schedule.tiling_structure", "double_buffer_scope"}, {"A", "global_symbol"}, None),
    "keys of a block's attributes before the quote": (prim("T.sblock_attr({│})"), {'"software_pipeline_stage"'}, set(), None),
    "no keys where a value of a block's attributes stands": (prim('T.sblock_attr({"double_buffer_scope": │})'), {"vi"}, {'"double_buffer_scope"'}, None),
    "keys of a loop's annotations": (prim('for k in T.serial(4, annotations={"pra│'), {"pragma_unroll_explicit"}, {"k"}, None),
    "members of a call": (relax("y = R.matmul(x, w).│"), {"shape", "dtype", "astype", "struct_info"}, {"x", "matmul"}, "shape"),
    "members of a call in an argument": (relax("y = R.add(R.matmul(x, w).as│"), {"astype"}, {"x"}, "astype"),
    "members of a call that gives a tuple": (relax("y = R.split(x, 2).│"), {"struct_info"}, {"shape", "dtype"}, None),
    "members of a field": (relax("t = (x, s)\n            y = t[0].│"), {"shape", "dtype"}, {"x"}, None),
    "no members of a tuple that is written": (relax("y = (x, w).│"), set(), {"shape", "x"}, None),
    "no members of a decorator": (below("\n@R.function(pure=True).│"), set(), {"shape"}, None),
    "members of a shape": (relax("y = s.│"), {"struct_info"}, {"shape", "dtype", "ndim"}, None),
    "members of a dtype": (relax("y = x.dtype.│"), {"bits", "lanes"}, {"shape"}, "bits"),
    "members of a tensor's StructInfo": (relax("y = x.struct_info.│"), {"shape", "ndim"}, {"values", "astype"}, "shape"),
    "members of a shape's StructInfo": (relax("y = s.struct_info.│"), {"values", "ndim"}, {"shape", "dtype"}, "values"),
    "members of a tensor in 0.27": (
        'from tvm.script import relax as R, tirx as T\n@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    k: R.Any = x\n    y = x.│',
        {"astype", "ty"}, {"shape", "struct_info"}, "astype"),
    "places of a tuple that is written": (relax("y = (x, (w, s), R.add(x, x),)[│"), {"0", "1", "2"}, {"3", "x", "n"}, "0"),
    "places of what a call gives": (relax("y = R.split(x, 4, axis=1)[│]"), {"0", "3"}, {"4", "x", "n"}, "0"),
    "no places of a list": (relax("y = R.reshape(x, [n, │"), {"n"}, {"0"}, None),
    "no namespace as an axis": (relax("y = R.sum(x, axis=│)"), {"0", "None"}, {"R", "T"}, None),
    "a namespace as a dtype": (relax("y = R.astype(x, dtype=│)"), {'"float32"', "R"}, set(), '"float32"'),
    "PrimFuncs for call_tir": (relax("y = R.call_tir(cls.│"), {"scale", "rows"}, {"helper", "main"}, "rows"),
    "PrimFuncs for call_tir by another name": (relax("y = R.call_tir_inplace(Module.│, (x,))"), {"scale", "rows"}, {"helper", "main"}, "rows"),
    "PrimFuncs for call_tir without the module": (relax("y = R.call_tir(gvar=│"), {"cls.scale"}, {"cls.helper", "cls.main"}, "cls.rows"),
    "all functions elsewhere in call_tir": (relax("y = R.call_tir(cls.scale, (cls.│"), {"helper", "scale"}, set(), None),
    "fields of a tuple": (relax("t = (x, s)\n            y = t[│]"), {"0", "1"}, {"2", "x", "n"}, "0"),
    "dimensions of a shape": (relax("y = R.reshape(x, (x.shape[│], 8))"), {"0", "1"}, {"2", "x", "n"}, "0"),
    "dimensions of a head": (below('\n@R.function\ndef f(k: R.Tensor(("rows", 4), "float32"), j: R.Tensor((│'), {'"rows"'}, {"k", "rows", '"float32"'}, '"rows"'),
    "dimensions of a head in a string": (below('\n@R.function\ndef f(k: R.Tensor(("rows", 4), "float32"), j: R.Tensor(("│'), {"rows"}, {"k", "float32"}, "rows"),
    "dimensions of a result": (below('\n@R.function\ndef f(k: R.Tensor(("rows", 4), "float32")) -> R.Tensor((│)):\n    return k\n'), {'"rows"'}, {"k", "rows"}, '"rows"'),
    "keys of attributes, by another word": (prim('T.func_attr({│})'), {'"global_symbol"', '"tirx.noalias"'}, {'"tir.noalias"'}, '"global_symbol"'),
    "axes of the tensor": (relax("y = R.sum(w, axis=│)"), {"0", "1", "-1", "None"}, {"2", "x"}, "None"),
    "axes in a list": (relax("y = R.permute_dims(w, axes=[1, │"), {"0", "1"}, {"2", "x"}, "0"),
    "axes by place": (relax("y = R.expand_dims(s, R.nn.softmax(lv, │"), {"0", "-1", "axis="}, {"2"}, "0"),
    "a condition": (relax('p = R.greater(lv, lv)\n            q = R.const(True, "bool")\n            if │'), {"q", "p", "x"}, set(), "q"),
    "no fields of a tensor": (relax("y = lv[│]"), {"x", "n"}, {"0"}, None),
    "members of a buffer": (prim("A.│"), {"data", "shape", "dtype"}, {"relu", "A"}, None),
    "all of T": (prim("T.│"), {"grid", "sblock", "axis", "max", "if_then_else", "exp"}, {"block", "relu"}, None),
    "nested names of T": (prim("x = T.axis.│"), {"spatial", "reduce", "remap"}, {"grid"}, None),
    "kinds of block variables": (prim('x, y = T.axis.remap("│'), {"SS", "SR", "RS", "RR"}, {"S", "float32"}, "SS"),
    "kinds that go on": (prim('x, y = T.axis.remap("R│'), {"RS", "RR"}, {"SS", "RRS"}, "RS"),
    "kinds of one annotated variable": (prim('x: T.int32 = T.axis.remap("│'), {"S", "R"}, {"SS"}, "S"),
    "kinds of many variables": (prim('a, b, c, d = T.axis.remap("SR│'), {"SRS", "SRR"}, {"SR", "SSSS"}, "SRS"),
    "kinds by name": (prim('x, y, z = T.axis.remap(bindings=[i, j, i], kinds="SS│'), {"SSS", "SSR"}, {"SS", "RRR"}, "SSS"),
    "loops that are over": (prim("for k in range(4):\n                    T.evaluate(k)\n                T.evaluate(│"), {"vi"}, {"k"}, None),
    "decorators": (below("\n@│"), {"R.function", "T.prim_func", "I.ir_module"}, {"x", "R.add"}, None),
    "decorators of a namespace": (below("\n@R.│"), {"function"}, {"add", "Tensor"}, None),
    "imports": ("from tvm.script import │", {"relax as R", "ir as I"}, {"x"}, None),
    "the package": ("import │", {"tvm"}, {"R"}, None),
    "modules of the package": ("from tvm.│", {"script", "relax"}, {"R"}, "script"),
    "modules to import": ("import   tvm.sc│", {"script"}, {"relax"}, None),
    "the result of a PrimFunc": (relax("y = R.call_tir(cls.scale, (x,), out_sinfo=│"), {"R.Tensor", "R.Tuple"}, {"R.matmul", "float32"}, 'R.Tensor((4, 8), dtype="float32")'),
    "the same by place": (relax("y = R.call_tir(cls.scale, (x,), [│"), {"R.Tensor"}, {"R.matmul"}, 'R.Tensor((4, 8), dtype="float32")'),
    "the same as 0.27 calls it": (relax("y = R.call_tir(cls.scale, (x,), out_ty=R.│)"), {"Tensor", "Shape"}, set(), "Tensor"),
    "types that a cast takes": (relax("y = R.match_cast(x, │"), {"R.Tensor", "R.Shape"}, {"R.matmul"}, "struct_info="),
    "types alone": (relax("y = R.match_cast(x, struct_info=│)"), {"R.Tensor"}, {"x", "n", "cls", "T.Buffer"}, "R.Tensor"),
    "the result by what it is given": (
        relax("y = R.call_tir(cls.rows, (x, w), out_sinfo=│)"), {"R.Tensor"}, {"x"}, 'R.Tensor((n, 4), dtype="float32")'),
    "the result behind arguments by name": (
        relax("y = R.call_tir(cls.rows, args=(x, w), out_sinfo=│"), {"R.Tensor"}, {"x"}, 'R.Tensor((n, 4), dtype="float32")'),
    "no result of what is not known": (relax("y = R.call_tir(cls.rows, (R.exp(x),), │"), {"R.Tensor", "out_sinfo="}, {"m"}, "out_sinfo="),
    "types of fields": (relax("y: R.Tuple(R.Object, │"), {"R.Tensor", "R.Shape"}, {"x"}, "R.Tensor"),
    "types of what a function takes": (relax("y: R.Callable((R.Object, R.│"), {"Tensor", "Shape"}, {"matmul"}, "Tensor"),
    "type of what a function gives": (relax("y: R.Callable((R.Object,), │"), {"R.Tensor", "ret="}, {"x"}, "ret="),
    "types of packed results": (relax('y = R.call_dps_packed("f", (x,), out_sinfo=│)'), {"R.Tensor"}, {"x"}, "R.Tensor"),
    "types of the namespace alone": (relax("y: R.│ = x"), {"Tensor", "Callable"}, {"matmul", "nn", "function"}, "Tensor"),
    "no tensor in the shape of a type": (relax("y: R.Tensor((n, │)) = x"), {"n"}, {"x", "lv", "cls", "Module"}, "n"),
    "a shape as the shape of a type": (relax("y: R.Tensor(│) = x"), {"n", "s", "shape=", "dtype="}, {"x", "lv"}, None),
    "no dimension as an axis": (relax("y = R.sum(x, axis=[│])"), set(), {"n", "x"}, None),
    "what surely fits before what may": (relax('k = R.zeros((4, 8), "float32")\n            q = R.add(x, x)\n            y = R.call_tir(cls.scale, (│'), {"k", "q"}, set(), "k"),
    "numbers of T in Relax": (relax("y = R.add(x, T.│"), {"int64", "float32", "max"}, set(), "int64"),
    "the end of a block": (relax("R.out│"), {"output", "outer"}, set(), "output"),
    "loops behind in": (prim("for k in │"), {"T.grid", "T.serial", "range"}, {"A", "vi", "T.exp"}, None),
    "a loop by its letters": (prim("for k in gri│"), {"T.grid"}, {"range"}, "T.grid"),
    "no buffer before dimensions": (prim("x = T.sblock_alloc_buffer((│"), {"vi", "i", "A"}, set(), "vi"),
    "types that a packed function gives": (relax('y = R.call_packed("f", x, sinfo_args=[R.│'), {"Tensor", "Object"}, set(), "Tensor"),
    "a block behind with, by another word": (relax("with R.│"), {"dataflow"}, set(), "dataflow"),
    "a block of a PrimFunc": (prim('with T.│'), {"sblock", "init"}, set(), "sblock"),
    "loops behind in, by another word": (prim("for k in T.│"), {"grid", "serial", "unroll"}, set(), "grid"),
    "no decorator in code": (relax("y = R.f│"), {"full", "floor", "flatten"}, set(), None),
    "functions of a module as strings": (below('\nrun = Module["│"]'), {"scale", "helper", "main"}, {"float32"}, None),
    "operators of inner namespaces": (relax("y = soft│"), {"R.nn.softmax", "R.nn.log_softmax"}, set(), "R.nn.softmax"),
    "the case that is typed": (relax("y: R.T│"), {"Tensor", "Tuple"}, set(), "Tensor"),
    "types behind the arrow": (below("\n@R.function\ndef f(x: R.Object) -> R.│:\n    return x"), {"Tensor", "Tuple"}, set(), "Tensor"),
    "types in a type": (below("\n@R.function\ndef f(x: R.Tuple(R.│"), {"Tensor", "Prim"}, set(), "Tensor"),
    "types for an annotation without a word": (below("\n@R.function\ndef f(x: │"), {"R.Tensor", "R.Shape"}, {"R.matmul"}, "R.Tensor"),
    "types for a binding without a word": (relax("y: │ = x"), {"R.Tensor", "R.Shape"}, {"R.matmul", "x", "n"}, "R.Tensor"),
    "parameters of a decorator": (below("\n@R.function(│)\ndef f(x):\n    return x"), {"private=", "pure="}, {"False="}, None),
    "those that are not given yet": (below("\n@R.function(pure=True, │)\ndef f(x):\n    return x"), {"private="}, {"pure="}, None),
    "types in an annotation": (below("\n@R.function\ndef f(x: R.│"), {"Tensor", "Shape", "Tuple"}, set(), "Tensor"),
    "types of a binding": (relax("y: R.│ = x"), {"Tensor"}, set(), "Tensor"),
    "behind the last statement": (relax("y = R.add(lv, lv)") + "        │", {"lv", "x", "n"}, {"vi", "A"}, None),
    "outside of functions": (below("\n│"), {"R", "T", "I", "Module"}, {"x", "lv", "vi"}, None),
    "an empty file": ("│", {"from tvm.script import ir as I, relax as R, tirx as T", "import", "@I.ir_module", "@R.function", "def"},
                      {"return", "else", "elif"}, "from tvm.script import ir as I, relax as R, tirx as T"),
    "what is not imported": ("from tvm.script import relax as Q\n\n│", {"from tvm.script import ir as I, tirx as T", "@Q.function"},
                             {"@R.function", "R", "return"}, None),
    "a file that imports all": ("from tvm.script import ir as I, relax as R, tirx as T\n\nfro│", {"from"}, {"from tvm.script import"}, "from"),
    "a class": (below("\n    │"), {"def", "@R.function", "@I.pyfunc"}, {"return", "if", "with", "import", "@I.ir_module"}, None),
    "a function of Python": ("def f(x):\n    │", {"return", "while", "def"}, {"class", "elif", "@R.function"}, None),
    "a function of Relax": (relax("│"), {"if", "with"}, {"for", "while", "else", "import", "@R.function"}, None),
    "a PrimFunc": (prim("│"), {"for", "while", "if"}, {"def", "else", "import", "class"}, None),
    "behind if": (prim("if vi < 2:\n                    B[vi, vj] = T.float32(0)\n                el│"), {"else", "elif"}, set(), None),
    "behind if, not moved out": (prim("if vi < 2:\n                    B[vi, vj] = T.float32(0)\n                    el│"), {"else", "elif"}, set(), None),
    "behind else": (prim("if vi < 2:\n                    pass\n                elif vi < 3:\n                    pass\n                else:\n                    pass\n                el│"),
                    set(), {"else", "elif"}, None),
    "a deeper suite that is not begun": (relax("if R.const(True):\n                │"), {"lv", "x"}, {"vi"}, None),
}


async def test_places(client):
    wrong = []
    for name, (text, wanted, unwanted, first) in PLACES.items():
        items, _ = await offers(client, text)
        labels = [i.label for i in items]
        holds = wanted <= set(labels) and not unwanted & set(labels) and len(labels) == len({(i.label, i.text_edit.new_text) for i in items})
        if not holds or (first and labels[0] != first):
            wrong.append((name, wanted - set(labels), unwanted & set(labels), labels[:8]))
    assert not wrong, wrong


async def test_members_of_the_module_around(client):
    """Of two modules with one name a function means its own; Python the one before the line."""
    first = SCRIPT.split("    @R.function\n    def main")[0].replace("IN_PRIM", "B[vi, vj] = A[vi, vj]")
    second = '@I.ir_module\nclass Module:\n    @R.function\n    def other(x: R.Tensor((4,), "float32")):\n        y = WORD.│\n        return y\n'
    for word in ("cls", "Module"):
        assert [one.label for one in (await offers(client, first + second.replace("WORD", word)))[0]] == ["other"]
    own = [one.label for one in (await offers(client, first.replace("return a", "return Module.│") + second.replace("WORD.│", "x")))[0]]
    assert sorted(own) == ["helper", "rows", "scale"]
    assert [one.label for one in (await offers(client, first + second.replace("WORD.│", "x") + "\nModule.│\n"))[0]] == ["other"]


async def test_an_equals_sign_asks_only_where_it_names_an_argument(client):
    """It is typed for every binding, too: nobody wants a list there."""
    assert "=" in client.init_result.capabilities.completion_provider.trigger_characters
    for line, wanted in (("y = R.sum(x, axis=│", "-1"), ('y = R.astype(x, dtype=│)', '"float32"'), ("y =│", None), ("y: R.Object =│ x", None), ('y = R.print(x, format="a=│")', None),
                         ("y = R.sum(x, axis==│", None), ("y = R.greater(x, x) ==│", None)):
        before, _, after = relax(line).partition("│")
        open_text(client, before + after)
        found = await ask(client.text_document_completion_async(t.CompletionParams(
            context=t.CompletionContext(t.CompletionTriggerKind.TriggerCharacter, trigger_character="="),
            **here(client, t.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)))))
        client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
        assert found is None if wanted is None else wanted in [item.label for item in found.items], line


async def test_edit_replaces_the_word(client):
    items, text = await offers(client, relax("y = R.nn.re│"))
    relu = next(i for i in items if i.label == "relu")
    edit = relu.text_edit
    span = getattr(edit, "range", None) or edit.insert
    line = text.split("\n")[span.start.line]
    assert line[span.start.character:span.end.character] == "re" and edit.new_text == "relu"
    resolved = await ask(client.completion_item_resolve_async(relu))
    page = resolved.documentation
    page = page if isinstance(page, str) else page.value
    assert page.startswith("max(x, 0)") and "- `data`: operand" in page  # the signature is the detail
    assert resolved.detail == "R.nn.relu(data)"


# (text, label, what stands behind the name, what stands at the end of the row)
ROWS = [
    (relax("y = R.matm│"), "matmul", "(x1, x2, out_dtype=None)", None),
    (relax("y = softm│"), "R.nn.softmax", "(data, axis=-1)", None),
    (relax("y = R.add(l│"), "lv", None, 'R.Tensor((n, 8), dtype="float32")'),
    (relax("y = Module.hel│"), "helper", '(a: R.Tensor((4, 8), dtype="float32"), b: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32")', None),
    (prim("for k in T.ser│"), "serial", "(start, stop=)", None),
    (prim("B[vi, vj] = A[v│"), "vi", None, 'T.axis.remap("SS", [i, j])'),
    (SCRIPT[SCRIPT.index("@I"):].replace("IN_RELAX", "y = matm│").replace("IN_PRIM", "B[vi, vj] = A[vi, vj]"), "R.matmul", "(x1, x2, out_dtype=None)",
     "from tvm.script import relax as R"),
]


async def test_what_each_row_says(client):
    item = client.capabilities.text_document.completion.completion_item
    for marked, label, parameters, description in ROWS:
        items, _ = await offers(client, marked)
        details = next(i for i in items if i.label == label).label_details
        shown = (details.detail, details.description) if details else (None, None)
        assert shown == ((parameters, description) if item.label_details_support else (None, None)), label


async def test_operator_without_its_namespace(client):
    items, _ = await offers(client, "from tvm.script import tirx as T\n\n@T.prim_func\ndef k():\n    pass\n\ny = matm│")
    matmul = next(i for i in items if i.label == "R.matmul")
    assert matmul.additional_text_edits[0].new_text == "from tvm.script import relax as R\n"
    assert matmul.additional_text_edits[0].range.start == t.Position(1, 0)
    items, _ = await offers(client, relax("y = matm│"))
    assert next(i for i in items if i.label == "R.matmul").additional_text_edits is None


async def test_what_is_offered_brings_its_import(client):
    """One edit where both go to one place (edits of an item may not touch), two elsewhere; never above what heads the file."""
    header = "#!/usr/bin/env python\n# A model.\n\n"
    for before, offered, wanted in [
            ("", "@R.function", "from tvm.script import relax as R\n\n\n@R.function"),
            (header, "@I.ir_module", header + "from tvm.script import ir as I\n\n\n@I.ir_module"),
            (header + "import os\n\n", "@T.prim_func", header + "import os\nfrom tvm.script import tirx as T\n\n@T.prim_func"),
            (header + '"""What it is."""\nx = 1\n', "R", header + '"""What it is."""\nfrom tvm.script import relax as R\nx = 1\nR'),
            (header + "x = 1\n", "R", header + "from tvm.script import relax as R\nx = 1\nR"),
            ("from tvm.script import relax as Q\n", "@Q.function", "from tvm.script import relax as Q\n@Q.function")]:
        items, text = await offers(client, before + "│")
        item = next(i for i in items if i.label == offered)
        edit = item.text_edit
        main = t.TextEdit(getattr(edit, "range", None) or edit.insert, edit.new_text)
        assert applied(text, [main, *(item.additional_text_edits or [])]) == wanted


async def test_snippets(client):
    takes = client.capabilities.text_document.completion.completion_item.snippet_support
    items, _ = await offers(client, relax("y = call_tir│"))
    call = [i for i in items if i.label == "R.call_tir(cls.scale, …)"]
    assert bool(call) == bool(takes)
    if call:
        assert call[0].insert_text_format == t.InsertTextFormat.Snippet
        assert call[0].text_edit.new_text == 'R.call_tir(cls.scale, (${1:A},), out_sinfo=R.Tensor((4, 8), dtype="float32"))$0'
    items, _ = await offers(client, "│")
    module = [i.text_edit.new_text for i in items if i.label == "ir_module"]
    assert bool(module) == bool(takes)
    assert all(one.startswith("from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass ") for one in module)
    items, _ = await offers(client, below("\n│"))
    assert ("ir_module" in {i.label for i in items}) == bool(takes)
    items, _ = await offers(client, prim("│"))
    block = [i for i in items if i.label == "T.sblock" and i.insert_text_format == t.InsertTextFormat.Snippet]
    assert bool(block) == bool(takes)


async def test_what_is_written_has_the_names_of_the_file(client):
    def renamed(text):
        return re.sub(r"\bR\.", "Rx.", text).replace("relax as R", "relax as Rx")

    items, _ = await offers(client, renamed(relax("y = Rx.call_tir(cls.scale, (x,), │")))
    assert items[0].text_edit.new_text == 'Rx.Tensor((4, 8), dtype="float32")'
    items, _ = await offers(client, renamed(relax("y = call_tir│")))
    assert all("R." not in i.text_edit.new_text for i in items)
    takes = client.capabilities.text_document.completion.completion_item.snippet_support
    assert any("Rx.call_tir(" in i.text_edit.new_text for i in items) == bool(takes)


SIGNATURES = {
    "an operator": (relax("y = R.add(x, │"), "R.add(x1, x2)", "x2"),
    "a keyword": (relax("y = R.sum(x, keepdims=│"), "R.sum(x, axis=None, keepdims=False)", "keepdims=False"),
    "strings and brackets before": (relax('y = R.permute_dims(R.add(x, (x)), "a, (", │'), "R.permute_dims(x, axes=None)", None),
    "in a field of an f-string": (relax("y = R.print(x, format=f'{R.add(x, │)}')"), "R.add(x1, x2)", "x2"),
    "an inner call": (relax("y = R.add(R.nn.relu(│), x)"), "R.nn.relu(data)", "data"),
    "the outer call again": (relax("y = R.add(R.nn.relu(x), │)"), "R.add(x1, x2)", "x2"),
    "a function of the module": (relax("y = cls.helper(x, │"),
                                 'helper(a: R.Tensor((4, 8), dtype="float32"), b: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32")',
                                 'b: R.Tensor((4, 8), dtype="float32")'),
    "the tuple of call_tir": (relax("y = R.call_tir(cls.scale, (x, │"), 'scale(A: R.Tensor((4, 8), dtype="float32"), B: R.Tensor((4, 8), dtype="float32"))',
                              'B: R.Tensor((4, 8), dtype="float32")'),
    "a StructInfo": (relax("y: R.Tensor((n, 8), │"), "R.Tensor(shape, dtype, ndim=-1)", "dtype"),
    "another name of T": (prim('D = T.sblock_alloc_buffer((4,), "float32", │'), None, "data=…"),
    "names that are not ASCII": (below("\n@I.ir_module\nclass Other:\n    @R.function\n    def f(größe: R.Object, 𝒳: R.Object):\n        return 𝒳\n"
                                       "    @R.function\n    def g(x: R.Object):\n        return Other.f(x, │"), "f(größe, 𝒳) -> R.Object", "𝒳"),
    "before the name of an argument": (relax("y = R.max(x, │keepdims=True, axis=0)"), "R.max(x, axis=None, keepdims=False)", "keepdims=False"),
    "in the name of an argument": (relax("y = R.max(x, keepdims=True, ax│is = 0)"), "R.max(x, axis=None, keepdims=False)", "axis=None"),
    "a comparison is no name": (relax("y = R.max(x, n│ == 4)"), "R.max(x, axis=None, keepdims=False)", "axis=None"),
    "before the name of an argument of T": (prim('T.thread_binding(4, │ thread="threadIdx.x")'), None, "thread=…"),
    "a name of T": (prim("T.axis.spatial(4, │"), "T.axis.spatial(dom, binding, dtype=…)", "binding"),
}


async def signature_at(client, marked):
    before, _, after = marked.partition("│")
    open_text(client, before + after)
    position = t.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)
    found = await ask(client.text_document_signature_help_async(t.SignatureHelpParams(**here(client, position))))
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    return found


async def test_signatures(client):
    for name, (marked, label, active) in SIGNATURES.items():
        found = await signature_at(client, marked)
        signature, at = found.signatures[0], found.active_parameter
        assert label is None or signature.label == label, name
        units = signature.label.encode("utf-16-le")
        shown = [units[2 * p.label[0]:2 * p.label[1]].decode("utf-16-le") if isinstance(p.label, (tuple, list)) else p.label for p in signature.parameters]
        assert (shown[at] if at < len(shown) else None) == active, name


async def test_no_signature(client):
    for line in ("y = (│x)", "y = [x, │]", "y = x  # R.add(│"):
        assert await signature_at(client, relax(line)) is None


AROUND = '''\
from tvm.script import tir as T
import math

EXTENT = 64


def make(width, dtype="float16"):
    tile = width * 2

    @T.prim_func
    def kernel(a: T.handle):
        A = T.match_buffer(a, (EXTENT, tile), dtype)
        for width in range(4):
            A[width, 0] = │

    after = 1
    return kernel
'''


async def test_names_around_a_function_are_offered_behind_its_own(client):
    before, after = AROUND.split("│")
    open_text(client, before + after)
    line = before.count("\n")
    at = t.Position(line, len(before.rsplit("\n", 1)[1]))
    answer = await ask(client.text_document_completion_async(t.CompletionParams(t.TextDocumentIdentifier(client.uri), at)))
    items = {item.label: item for item in answer.items}
    assert {"A", "a", "width", "tile", "dtype", "EXTENT", "math"} <= set(items)
    assert "after" not in items  # not bound yet when TVM reads the function
    assert [item.label for item in answer.items].count("width") == 1  # the loop hides the parameter
    order = sorted(items.values(), key=lambda item: item.sort_text)
    places = [item.label for item in order]
    assert places.index("A") < places.index("tile") and places.index("width") < places.index("EXTENT")


def many(line):
    """A function of 3,000 bindings, `line` behind them."""
    rows = "".join(f"            v{i} = R.exp({'x' if not i else f'v{i - 1}'})\n" for i in range(3000))
    return SCRIPT.replace("            IN_RELAX\n", rows + f"            {line}\n").replace("IN_PRIM", "pass")


async def test_among_thousands_of_names(client):
    """What the word begins comes before what its letters are found in, wherever it stands; no name is out of reach."""
    items, _ = await offers(client, many("y = R.exp(v12│)"))
    assert [i.label for i in items[:3]] == ["v1299", "v1298", "v1297"]
    items, _ = await offers(client, many("y = R.exp(v1│)"))
    assert items[0].label == "v1999"
    items, _ = await offers(client, many("y = R.add(x, v1023│)"))
    assert items[0].label == "v1023"
    items, _ = await offers(client, many("y = v17.│"))
    assert [i.label for i in items[:3]] == ["shape", "dtype", "ndim"]
    items, _ = await offers(client, many("y = R.reshape(x, R.shape([│]))"))
    assert items[0].label == "n" and not any(i.label.startswith("v") for i in items)
    items, _ = await offers(client, many("y = R.add(│"))
    assert items[0].label == "v2999"


async def test_an_open_call_ends_with_its_statement(client):
    """What calls below give by keyword is not given here."""
    marked = relax("y = R.sum(x, │\n            z = R.max(x, axis=[0], keepdims=True)\n            keepdims = R.add(z, z)")
    items, _ = await offers(client, marked)
    assert {"axis=", "keepdims="} <= {i.label for i in items}


async def test_the_module_by_a_name_that_it_has(client):
    """Functions stand behind what the function calls its module, else behind the module's own name: `cls` alone means nothing."""
    for line, own, other in [("", "Module", "cls"), ("cls = Module", "cls", "mod"), ("mod = Module", "mod", "cls")]:
        marked = relax("y = │").replace("        cls = Module\n", f"        {line}\n" if line else "")
        labels = {i.label for i in (await offers(client, marked))[0]}
        assert {own, f"{own}.scale", f"{own}.helper", "Module"} <= labels, (line, labels)
        assert not any(label == other or label.startswith(f"{other}.") for label in labels)
        calls = [i for i in (await offers(client, relax("y = call_tir│").replace("        cls = Module\n", f"        {line}\n" if line else "")))[0] if "scale" in i.label]
        assert not calls or calls[0].label == f"R.call_tir({own}.scale, …)"


async def test_modules_of_tvm_in_python(client):
    """Behind a module of Python stands what that module has: operators behind `relax.op` alone."""
    head = "import tvm\nfrom tvm import relax\nfrom tvm.script import ir as I, relax as R\n\n"
    for line, has, lacks in [
        ("x = relax.│", {"op", "BlockBuilder", "call_tir", "const"}, {"add", "nn", "function"}),
        ("x = relax.op.│", {"add", "nn"}, {"BlockBuilder"}),
        ("x = tvm.relax.op.nn.g│", {"gelu"}, {"add"}),
        ("x = tvm.│", {"IRModule", "relax", "script"}, {"add"}),
        ("@relax.│", set(), {"BlockBuilder", "function"}),
        ("from tvm.script import ir as I, │", {"relax as R"}, {"ir as I"}),
        ("from tvm.script.relax import fu│", {"function"}, {"BlockBuilder"}),
        ("from tvm.relax import │", {"BlockBuilder"}, {"add"}),
    ]:
        labels = {i.label for i in (await offers(client, head + line + "\n"))[0]}
        assert has <= labels and not lacks & labels, (line, labels)
