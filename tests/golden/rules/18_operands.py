# rlx-golden: check
# What TVM's parser takes for operands, and what else it refuses in whole programs.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Calls:
    @T.prim_func
    def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def module_as_operand(x: R.Tensor((4,), "float32")):
        cls = Calls
        z = R.call_tir(cls.f, (x, cls), R.Tensor((4,), "float32"))
        #!                    ^^^^^^^^ error[RLX0301]: R.call_tir expects expressions as `args`, found a module
        return z

    @R.function
    def module_indexed(x: R.Tensor((4,), "float32")):
        cls = Calls
        return cls[0]
        #!     ^^^^^^ error[RLX0358]: only tuples can be indexed, found a module


@R.function
def swapped(x: R.Tensor((4,), "float32")):
    z = R.call_dps_packed((x,), "f", R.Tensor((4,), "float32"))
    #!                    ^^^^ error[RLX0301]: R.call_dps_packed expects a function as `func`, found a tuple
    return z


@R.function
def no_tuple(x: R.Tensor((4,), "float32")):
    z = R.call_dps_packed("f", "g", R.Tensor((4,), "float32"))
    #!                         ^^^ error[RLX0301]: R.call_dps_packed expects a tuple as `args`, found the string "g"
    return z


@R.function(pure=False)
def no_name(x: R.Tensor((4,), "float32")):
    z = R.call_packed(x, x, sinfo_args=R.Object)
    #!                ^ error[RLX0301]: R.call_packed expects a function's name as `func`, found R.Tensor((4,), dtype="float32")
    return z


@R.function(pure=False)
def none(x: R.Tensor((4,), "float32")):
    z = R.call_packed("f", None, sinfo_args=R.Object)
    #!                     ^^^^ error[RLX0301]: R.call_packed expects expressions as `args`, found None
    return z


@R.function(pure=False)
def object_unbound(x: R.Tensor((4,), "float32")):
    R.call_packed("f", x)
#!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0441]: the value, R.Object, must be bound to a variable
    #!     fix: bind it to `_`
    R.print(x, 3)
    #!      ^^^^ error[RLX0301]: R.print expects expressions as `values`, found the int 3
    return x


@R.function
def number_cast(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    z = R.match_cast(n, R.Object)
    #!               ^ error[RLX0446]: R.match_cast: `value` is the symbolic integer `n`, expected a Relax expression
    return z


@R.function
def number_indexed(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    z = R.zeros((n[0],), "float32")
    #!           ^^^^ error[RLX0358]: only tuples can be indexed, found the symbolic integer `n`
    return z


@R.function
def storage(x: R.Tensor((4,), "float32")):
    a = R.memory.alloc_storage(R.shape([16]), R.prim_value(0), R.dtype("float32"), R.str("global"))
    #!                                                         ^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.memory.alloc_storage expects a string as `storage_scope`, found the dtype "float32"
    b = R.vm.alloc_storage(x, R.prim_value(0), R.dtype("uint8"))
    #!                     ^ error[RLX0301]: R.vm.alloc_storage expects a shape as `shape`, found R.Tensor((4,), dtype="float32")
    c = R.builtin.alloc_tensor(R.shape([4]), "float32", 0, R.shape([4]))
    #!                                                     ^^^^^^^^^^^^ error[RLX0301]: R.builtin.alloc_tensor expects a string as `storage_scope`, found R.Shape([4])
    return c


@R.function
def attributes(x: R.Tensor((4,), "float32")):
    R.func_attr({"a": 1, "b": 2})
    R.func_attr({"b": 3})
    #!           ^^^ error[RLX0425]: R.func_attr: argument `b` is given twice
    #!     line 79: the first one
    return x


@R.function
def returns_nothing(x: R.Tensor((4,), "float32")):
#!  ^^^^^^^^^^^^^^^ error[RLX0430]: function `returns_nothing` returns nothing
#!     fix: return `z`
    y: R.Object = x
    #! ^^^^^^^^ hint[RLX0366]: annotated as R.Object, deduced is R.Tensor((4,), dtype="float32")
    #!     fix: make annotation finer
    with R.dataflow():
        z = R.add(x, x)
        R.output(z)


@R.function
def captured(x: R.Tensor(("m", "n"), "float32")):
    @R.function
    def inner(y: R.Tensor((4,), "float32")):
        r = R.add(x, x)
        #!        ^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
        return r

    z = inner(R.zeros((4,), "float32"))
    #!        ^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    return z


@R.function
def captured_of_the_same_name(x: R.Tensor(("m", "n"), "float32")):
    @R.function
    def inner(y: R.Tensor(("m", "n"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        r = R.add(y, x)
        #!           ^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
        return r

    z = inner(x)
    return z


@R.function
def symbol_rebound(x: R.Tensor(("n",), "float32")):
    n = R.abs(x)
#!  ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
    return n


@R.function
def symbol_named_in_a_block(x: R.Tensor(("n",), "float32")):
    with R.dataflow():
        n = R.abs(x)
        R.output(n)
    return n


@R.function
def cast_inside(x: R.Tensor(("n",), "float32")):
    k = T.int64()
    y = R.round(R.match_cast(x, R.Tensor((k,), "float32")))
    #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.round expects an expression as `x`, found a match_cast, which is bound to a variable first
    return y


@R.function
def captured_and_annotated(x: R.Tensor((1, 8), "float32"), w: R.Tensor((8, "r"), "float32")):
    r = T.int64()

    @R.function
    def inner(a: R.Tensor((1, 8), "float32"), b: R.Tensor((8, r), "float32")) -> R.Tensor((1, r), "float32"):
        c: R.Tensor((1, r), "float32") = R.matmul(b, a)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((1, r), dtype="float32"), but the value is R.Tensor((8, 8), dtype="float32"): dimension 0 is 8, expected 1
        #!     line 141: the value is the result of R.matmul
        #!     line 140: `b` is R.Tensor((8, r), dtype="float32")
        #!     line 140: `a` is R.Tensor((1, 8), dtype="float32")
        #!     fix: annotate what is deduced
        return c

    y = inner(x, w)
    return y


@R.function
def object_called(f: R.Object, x: R.Tensor((8,), "float32")):
    y = f(x)
    #!  ^ error[RLX0428]: R.Object can't be called
    return y


@R.function
def chosen(c: R.Tensor((), "bool"), x: R.Tensor((8,), "float32")):
    y = x if c else R.abs(x)
    #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: a conditional expression that a Relax value decides can't be used in a Relax function
    return y


@R.function
def kinds(p: R.Tensor((3, 5), "float32"), t: R.Tensor((3,), "int64"), q: R.Tensor((2, 4, 8, 8), "float32")):
    a = R.nn.nll_loss(p, t, ignore_index=[1, 2])
    #!                                   ^^^^^^ error[RLX0301]: R.nn.nll_loss expects an int as `ignore_index`, found a list
    b = R.nn.attention(q, q, q, causal_mask=2)
    #!                                      ^ error[RLX0301]: R.nn.attention expects a string as `causal_mask`, found the int 2
    return b


@R.function(pura=True)
#!          ^^^^ error[RLX0424]: R.function has no parameter `pura`
def decorator(x: R.Tensor((4,), "float32")):
    R.func_attr("a")
    #!          ^^^ error[RLX0446]: R.func_attr: `attrs` is the string "a", expected a dict with strings as keys
    R.func_attr({3: 4})
    #!          ^^^^^^ error[RLX0446]: R.func_attr: `attrs` is a dict, expected a dict with strings as keys
    return x


@R.function
def numbers(x: R.Tensor(("n",), "float32"), s: R.Shape(["k"])):
    n = T.int64()
    a = R.zeros((n**2,), "float32")
    #!           ^^^^ error[RLX0421]: `**` can't be applied to the symbolic integer `n` and the Python int 2
    b = R.zeros((T.cast(n, "int32"),), "float32")
    #!           ^^^^^^^^^^^^^^^^^^ error[RLX0362]: the symbolic integer `T.Cast("int32", n)` of dtype int32 is not a dimension: expected an integer or a symbolic integer
    m = T.int32()
    c = R.match_cast(x, R.Tensor((m,), "float32"))
    #!                            ^ error[RLX0362]: the symbolic integer `m` of dtype int32 is not a dimension: expected an integer or a symbolic integer
    d = R.zeros((T.max(x, n),), "float32")
    #!                 ^ error[RLX0446]: T.max: `a` is R.Tensor((n,), dtype="float32"), expected a number or a symbolic expression
    e = R.zeros((T.int32(4),), "float32")
    return e


@R.function
def constants(x: R.Tensor(("n",), "float32")):
    a = R.const([[1, 2], [3]])
    #!          ^^^^^^^^^^^^^ error[RLX0446]: R.const: `value` is a list, expected lists of equal lengths
    b = R.const(1, "float99")
    #!             ^^^^^^^^^ error[RLX0446]: R.const: `dtype` is the string "float99", expected a dtype of numpy
    c = R.const(1, "")
    #!             ^^ error[RLX0446]: R.const: `dtype` is the string "", expected a dtype of numpy
    e = R.const(1, ">f4")
    #!             ^^^^^ error[RLX0363]: there is no dtype ">f4"
    f = R.const(1, "f3")
    #!             ^^^^ error[RLX0363]: there is no dtype "f3"
    g = R.const(1, ("float32", "float16"))
    #!             ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.const: `dtype` is a tuple, expected a dtype's name
    h = R.const(1, ("float32",))
    #!             ^^^^^^^^^^^^ error[RLX0446]: R.const: `dtype` is a tuple, expected a dtype's name
    d = R.tuple(x, 3)
    #!             ^ error[RLX0446]: R.tuple: `fields` is the Python int 3, expected a Relax expression
    return x


@R.function
def returned_number(x: R.Tensor(("n",), "float32")):
    return (x, 3, 2.5, True)


@R.function
def resized(x: R.Tensor((2, 3, 8, 8), "float32")):
    y = R.image.resize2d(x, (4,))
    z = R.image.resize2d(x, R.shape([4]))
    #!                      ^^^^^^^^^^^^ error[RLX0310]: R.image.resize2d: `size` has 1 value, expected 2 values
    return y


@R.function
def index_map(x: R.Tensor((2, 4), "float32")):
    y = R.layout_transform(x, index_map=lambda i, j: (j, x))
    #!                                                   ^ error[RLX0362]: R.Tensor((2, 4), dtype="float32") is not a dimension: expected an integer or a symbolic integer
    return y


@R.function
def named_like_a_parameter(x: R.Tensor(("x", 4), "float32"), y: R.Tensor((4, "n"), "float32")):
#!                         ^ error[RLX0219]: `x` is a symbolic variable of the signature, it can't become a Relax variable
    return x


@R.function
def scalar_of_the_same_name(n: R.Prim("int64"), x: R.Tensor(("n", 4), "float32")):
    return x


@R.function
def bare_in_a_signature(x: R.Tensor(("n",), "float32"), y: R.Tensor((n,), "float32")):
#!                                                                   ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def attribute_of_a_symbol(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = n.foo
    #!    ^^^ error[RLX0203]: `n.foo` does not exist
    return x
