# Spellings that TVM 0.25 accepts: typed pointers in brackets, constants of TensorIR as attributes, a condition of one element.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func
def pointers(a: T.Ptr[T.float32], b: T.Ptr[T.int8, "shared"]):
    p: T.let[T.Ptr[T.float32]] = T.reinterpret("handle", T.int64(0))
    T.evaluate(0)


@R.function
def attributes(q: R.Tensor((1, 8, 2, 4), "float32"), x: R.Tensor((4, 6), "float32")):
    a = R.nn.attention(q, q, q, causal_mask="BottomRight", window_size=T.IntImm("int32", 3))
    #! a: R.Tensor((1, 8, 2, 4), dtype="float32")
    b = R.nn.attention_bias(q, q, q, window_size=T.IntImm("int64", 3))
    #! b: R.Tensor((1, 8, 2, 4), dtype="float32")
    c = R.tril(x, k=T.IntImm("int32", 1))
    #! c: R.Tensor((4, 6), dtype="float32")
    d = R.split(x, T.IntImm("int64", 2), axis=1)
    #! d: R.Tuple(R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 3), dtype="float32"))
    e = R.nn.attention(q, q, q, window_size=2.5)
    #!                                      ^^^ error[RLX0301]: R.nn.attention expects an int as `window_size`, found the float 2.5
    #! e: R.Tensor((1, 8, 2, 4), dtype="float32")
    return a


@R.function
def condition(c: R.Tensor(("n",), "bool"), x: R.Tensor((2,), "float32")):
    if c:
    #! ^ warning[RLX0434]: the condition is R.Tensor((n,), dtype="bool"), expected a scalar bool tensor or `R.Prim("bool")`
    #! y: R.Tensor((2,), dtype="float32")
        y = R.abs(x)
        #! y: R.Tensor((2,), dtype="float32")
    else:
        y = R.exp(x)
        #! y: R.Tensor((2,), dtype="float32")
    return y


@R.function
def parts_in_any_order(
    a: R.SparseCSR(starts, columns), starts: R.Tensor((5,), "int32"), columns: R.Tensor(("nnz",), "int32")
):
    return a


@R.function
def no_parameter(starts: R.Tensor((5,), "int32"), a: R.SparseCSR(starts, rows)):
#!                                                                       ^^^^ error[RLX0201]: `rows` is not defined: `R.SparseCSR(indptr, indices)` names parameters of the function
    return a


@T.prim_func(s_tir=True)
def tensor_map(a: T.handle):
    A = T.match_buffer(a, (16, 16), dtype="float32", align=16)
    m: T.let[T.handle("tensormap")] = T.tvm_stack_alloca("tensormap", 1)
    T.call_packed("encode", m, "float32", 2, A.data, 16, 16)


@R.function
def dtypes_of_numpy(x: R.Tensor((2,), "float32")):
    a = R.const(2, "f4")
    #! a: R.Tensor((), dtype="float32")
    b = R.const([1, 2], "<i8")
    #! b: R.Tensor((2,), dtype="int64")
    c = R.const(1, "?")
    #! c: R.Tensor((), dtype="bool")
    d = R.const(1.5, "half")
    #! d: R.Tensor((), dtype="float16")
    e = R.const([3], "ushort")
    #! e: R.Tensor((1,), dtype="uint16")
    f = R.const(2, ("float32", "int32"))
    #! f: R.Tensor
    g = R.const(2, ("int8", (3, 2)))
    #! g: R.Tensor
    h = R.const(2, ("d", 4))
    #! h: R.Tensor
    i = R.const(2, "float")
    #! i: R.Tensor((), dtype="float64")
    return x
