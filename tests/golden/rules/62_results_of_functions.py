# What Python's functions and those of T give, as operands and under names.
import tvm
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def computed(x: R.Tensor((24, 2), "float32")):
    a = R.reshape(x, (sum([2, 4]), pow(2, 3)))
    #! a: R.Tensor((6, 8), dtype="float32")
    b = R.reshape(a, divmod(51, 4)[0:1] + (round(4.5),))
    #! b: R.Tensor((12, 4), dtype="float32")
    c = R.astype(b, "float%d" % 16)
    #! c: R.Tensor((12, 4), dtype="float16")
    d = R.astype(c, "i" + "nt" * 1 + str(8))
    #! d: R.Tensor((12, 4), dtype="int8")
    e = R.sum(R.reshape(d, (int("6"), ord("b") - 90)), axis=sorted([1, 0]))
    #!        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((6, 8), dtype="int8")
    #! e: R.Tensor((), dtype="int8")
    f = R.zeros([n * 2 for n, _ in zip([1, 2], ["a", "b"])], **dict(dtype="int8"))
    #! f: R.Tensor((2, 4), dtype="int8")
    g = R.zeros(list(reversed([1, 2])), "int8")
    #! g: R.Tensor((2, 1), dtype="int8")
    h = R.const(max(1.5, 2), "float32")
    #! h: R.Tensor((), dtype="float32")
    return (e, f, g, h)


@R.function
def objects(x: R.Tensor((2, 3), "float32")):
    a = R.add(x, print(1))
    #!           ^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found None
    #! a: R.Tensor
    b = R.add(x, {1})
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found a set
    #! b: R.Tensor
    c = R.add(x, set([1]))
    #!           ^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found a set
    #! c: R.Tensor
    d = R.add(x, type(x))
    #!           ^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found a class
    #! d: R.Tensor
    e = R.add(x, abs(-1))
    #!           ^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the int 1
    #!     fix: wrap it as a constant
    #! e: R.Tensor
    f = R.add(x, "a" * 2)
    #!           ^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the string "aa"
    #! f: R.Tensor
    g = R.add(x, 2**70)
    #!           ^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found an integer of more than 64 bits
    #! g: R.Tensor
    h = R.sum(x, axis=zip([0], [1]))
    #!                ^^^^^^^^^^^^^ error[RLX0301]: R.sum expects a list of ints as `axis`, found a range
    #! h: R.Tensor(dtype="float32")
    i = R.zeros((2**64, 2), "int8")
    #!           ^^^^^ error[RLX0362]: an integer of more than 64 bits is not a dimension: expected an integer or a symbolic integer
    #! i: R.Tensor(dtype="int8")
    j = R.zeros((9223372036854775807 + 1, 2), "int8")
    #!           ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0362]: the Python int 9223372036854775808 of 64 bits is not a dimension: expected an integer or a symbolic integer
    #! j: R.Tensor(dtype="int8")
    k = 3**50
    #!  ^^^^^ error[RLX0442]: an integer of more than 64 bits is not a Relax value
    #! k: R.Object
    l = complex(1)
    #!  ^^^^^^^^^^ error[RLX0442]: a complex number is not a Relax value
    #! l: R.Object
    m = R.exp(next)
    #!        ^^^^ error[RLX0301]: R.exp expects a tensor as `x`, found Python's `next`
    #! m: R.Tensor
    return (x, map(abs, [1]))
    #!     ^^^^^^^^^^^^^^^^^^ error[RLX0442]: a tuple is not a Relax value


@R.function
def none_of_classes(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    a = R.zeros((2 if isinstance(x, R.Tensor) else 3,), "int8")
    #!                              ^^^^^^^^ error[RLX0446]: Python's `isinstance`: `argument` is `R.Tensor`, expected a class
    #! a: R.Tensor(dtype="int8", ndim=1)
    b = R.zeros((sum([x, y]),), "int8")
    #!           ^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to the Python int 0 and R.Tensor((2, 3), dtype="float32")
    #! b: R.Tensor(dtype="int8", ndim=1)
    return divmod(objects, 2)


@R.function
def lambdas(x: R.Tensor((2, 3), "float32")):
    f = lambda a, b: (b, a)
    a = R.layout_transform(x, f)
    #! a: R.Tensor(dtype="float32")
    b = R.add(x, f)
    #!           ^ error[RLX0301]: R.add expects a tensor as `x2`, found a lambda
    #! b: R.Tensor
    c = R.layout_transform(x, lambda i, j: (i * j, j))
    #!                        ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.layout_transform expects a lambda whose indices are multiplied and divided by numbers alone as `index_map`, found a list
    #! c: R.Tensor(dtype="float32", ndim=2)
    d = R.layout_transform(x, lambda i, j: (i * 2, 4 % (i + 1)))
    #!                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.layout_transform expects a lambda whose indices are multiplied and divided by numbers alone as `index_map`, found a list
    #! d: R.Tensor(dtype="float32", ndim=2)
    e = R.layout_transform(x, lambda i, j: (i * 2, j // 2))
    #! e: R.Tensor((4, 2), dtype="float32")
    return (x, f)
    #!     ^^^^^^ error[RLX0442]: a tuple is not a Relax value


@R.function
def of_tensorir(x: R.Tensor((2, 3), "float32"), s: R.Shape(["n"])):
    n = T.int64()
    a = R.power(T.cuda.grid_sync(), x)
    #!          ^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.power expects a tensor as `x1`, found the integer expression ...
    #! a: R.Tensor
    b = R.add(T.continue_loop()(14), x)
    #!        ^^^^^^^^^^^^^^^^^ error[RLX0428]: a value of TensorIR can't be called
    #! b: R.Object
    c = R.add(x if n > 2 else x, x)
    #!        ^ error[RLX0446]: a conditional expression with a symbolic condition: `branch` is R.Tensor((2, 3), dtype="float32"), expected a symbolic expression
    #! c: R.Object
    d = n[0:2]
    #!  ^^^^^^ error[RLX0358]: only tuples can be indexed, found the symbolic integer `n`
    #! d: R.Object
    e = I[0, 0]
    #!  ^^^^^^^ error[RLX0358]: only tuples can be indexed, found `I`
    #! e: R.Object
    f = R.shape([n.astype("int32"), n.astype("int64") + 1])
    #!           ^^^^^^^^^^^^^^^^^ error[RLX0362]: the symbolic integer `T.Cast("int32", n)` of dtype int32 is not a dimension: expected an integer or a symbolic integer
    #! f: R.Object
    g = R.shape([T.int32x4(3)])
    #!           ^^^^^^^^^^^^ error[RLX0362]: the symbolic integer `T.int32x4(3)` of dtype int32x4 is not a dimension: expected an integer or a symbolic integer
    #! g: R.Object
    return x


@R.function
def module_name(x: R.Tensor((2, 3), "float32")):
    tvm = T.int64()
#!  ^^^ error[RLX0210]: `tvm` is a module already, it can't become a symbolic variable of dtype int64
    return x


@R.function
def by_hand(x: R.Tensor((2, 3), "float32")):
    R.func_name("other")
#!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `R.func_name(…)` (the function has its name) can't be used in a Relax function
    R.func_ret_value(x)
    return x
#!  ^^^^^^^^ error[RLX0431]: a function has one `return`, at its end


@R.function
def decorated(x: R.Tensor((2, 3), "float32")):
    f = R.function(private=True)

    @R.functionx
    #! ^^^^^^^^^ error[RLX0454]: `functionx` of R decorates no function; did you mean `@R.function`?
    #!     fix: change to `R.function`
    def inner(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    #! inner: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True)
        return y

    return x


@R.function
def known_in_a_block(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        n = x.shape[0]
        #! n: R.Prim(value=2)
        y = R.call_pure_packed("f", n, x.ndim, sinfo_args=R.Object)
        #!                             ^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! lv: R.Prim(value=T.int32(2))
        #! y: R.Object
        R.output(y)
    return y


@R.function
def builder(x: R.Tensor((2, 3), "float32")):
    with R.SeqExpr():
        y = R.abs(x)
        #! y: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def found(x: R.Tensor((2, 3), "float32")):
    a = R.where(R.const(x in [1, 2]), x, x)
    #! a: R.Tensor((2, 3), dtype="float32")
    b: R.Tensor((2, 3), "float32") = x not in [x, 1]
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is R.Tensor((), dtype="bool"): the dtype is bool, expected float32
    #!     fix: annotate what is deduced
    #! b: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor((), dtype="bool"))
    return a


@R.function
def ranges(x: R.Tensor((2, 3), "float32"), y: R.Tensor(T.nvshmem.n_pes(), "float32")):
#!                                                     ^^^^^^^^^^^^^^^^^ error[RLX0446]: R.Tensor: `shape` is a value of TensorIR, expected a tuple of dimensions
    a = R.prim_value(T.float16(70000))
    #!                         ^^^^^ error[RLX0446]: T.float16: `value` is the Python int 70000, expected a number that float16 holds
    #! a: R.Object
    b = R.prim_value(T.float16(65504))
    #! b: R.Prim(value=T.float16(65504.0))
    c = R.prim_value(T.float32(-1e39))
    #!                         ^^^^^ error[RLX0446]: T.float32: `value` is the Python float -1e+39, expected a number that float32 holds
    #! c: R.Object
    d = (x, *R.abs)
    #!      ^^^^^^ error[RLX0421]: `*` can't be applied to an operator that is not called
    #! d: R.Object
    return x


@R.function
def names(x: R.Tensor(("m", 3), "float32")):
    m = T.int64()
    a = R.zeros((m.name, 3), "float32")
    #!           ^^^^^^ error[RLX0362]: the string "m" is not a dimension: expected an integer or a symbolic integer
    #!     fix: write it without quotes
    #! a: R.Tensor(dtype="float32")
    b = R.zeros((T.max(lambda: 1, m), 3), "float32")
    #!                 ^^^^^^^^^ error[RLX0446]: T.max: `a` is a lambda, expected a number or a symbolic expression
    #! b: R.Tensor(dtype="float32", ndim=2)
    return x


@f"{R.function}"
#! 1-16 error[RLX0454]: this decorates no function
def text(x: R.Tensor((2, 3), "float32")):
    return x


@R.function
def T(x: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    return R.zeros((n,), "int8")
    #! gv: R.Tensor((n,), dtype="int8")


@R.function
def written(x: R.Tensor(f"{(2, 3)}", "float32"), y: R.Tensor(f"{x}")):
#!                      ^^^^^^^^^^^ error[RLX0446]: R.Tensor: `shape` is a string, expected a tuple of dimensions
#!                                                              ^ error[RLX0201]: `x` is not defined
    return x
