# What TVM does not look at is a warning: an annotation of a value with nested calls, which normalizing makes anew, and an
# output whose shape TVM forgets as a whole because no input binds one of its dimensions.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def annotations(x: R.Tensor((2, 3), "float32")):
    a: R.Tensor((3, 2), "float32") = R.multiply(-x, x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tensor((3, 2), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
    #!     line 8: the value is the result of R.multiply
    #!     line 8: `gv` is R.Tensor((2, 3), dtype="float32")
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    #!                                          ^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((2, 3), dtype="float32")
    #! a: R.Tensor((2, 3), dtype="float32")
    b: R.Tensor((2, 3), "float32") = R.exp(a)
    #! b: R.Tensor((2, 3), dtype="float32")
    c: R.Tuple(R.Tensor((3, 2), "float32"), R.Tensor((2, 3), "float32")) = (R.abs(x), x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tuple(R.Tensor((3, 2), dtype="float32"), R.Tensor((2, 3), dtype="float32")), but the value is R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")): field 0: dimension 0 is 2, expected 3
    #!     fix: annotate what is deduced
    #!                                                                      ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv1: R.Tensor((2, 3), dtype="float32")
    #! c: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))
    d: R.Tensor((3, 2), "float32") = R.multiply(x, x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3, 2), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
    #!     line 11: the value is the result of R.multiply
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    #! d: R.Tensor((3, 2), dtype="float32")   (deduced R.Tensor((2, 3), dtype="float32"))
    e: R.Tuple(R.Tensor((3, 2), "float32")) = ((x, x)[0],)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tuple(R.Tensor((3, 2), dtype="float32")), but the value is R.Tuple(R.Tensor((2, 3), dtype="float32")): field 0: dimension 0 is 2, expected 3
    #!     fix: annotate what is deduced
    #! e: R.Tuple(R.Tensor((3, 2), dtype="float32"))   (deduced R.Tuple(R.Tensor((2, 3), dtype="float32")))
    f: R.Tensor((2, 1), "float32") = R.split(x, [1], axis=1)[1]
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tensor((2, 1), dtype="float32"), but the value is R.Tensor((2, 2), dtype="float32"): dimension 1 is 2, expected 1
    #!     fix: annotate what is deduced
    #!                               ^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv2: R.Tuple(R.Tensor((2, 1), dtype="float32"), R.Tensor((2, 2), dtype="float32"))
    #! f: R.Tensor((2, 2), dtype="float32")
    return (b, c, d, f)


@R.function
def contradicted(x: R.Tensor((2, 3), "float32")):
    a: R.Tensor((3, 2), "float32") = R.exp(R.abs(x))
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tensor((3, 2), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
    #!     line 19: the value is the result of R.exp
    #!     line 19: `gv` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    #!                                     ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((2, 3), dtype="float32")
    #! a: R.Tensor((2, 3), dtype="float32")
    b = R.matmul(a, R.ones((2, 4), "float32"))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (2, 3), 2 in (2, 4)
    #!     line 19: `a` is R.Tensor((2, 3), dtype="float32")
    #!              ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv1: R.Tensor((2, 4), dtype="float32")
    #! b: R.Tensor((2, 4), dtype="float32")
    return b


@I.ir_module(s_tir=True)
class Outputs:
    @T.prim_func(private=True, s_tir=True)
    def spread(a: T.Buffer((8,), "float32"), h: T.handle):
        p = T.int64()
        b = T.match_buffer(h, (4, p), "float32")
        for i in range(4):
            for j in range(p):
                with T.sblock("s"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    b[vi, vj] = a[vi]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Outputs
        y = R.call_tir(cls.spread, (x,), R.Tensor((5, 2), "float32"))
        #!                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0440]: output 0 of `spread` is R.Tensor((5, 2), dtype="float32"), expected R.Tensor((4, p), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 27: this parameter of the PrimFunc
        #!     line 39: the callee's `p` is 2, dimension 1 of this argument
        #! y: R.Tensor((5, 2), dtype="float32")
        z = R.call_tir(cls.spread, (x,), R.Tensor((4, 2), "float32"))
        #! z: R.Tensor((4, 2), dtype="float32")
        return R.add(R.split(y, [4])[0], z)
        #!           ^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((1, 2), dtype="float32"))
        #! gv1: R.Tensor((4, 2), dtype="float32")
        #! gv2: R.Tensor((4, 2), dtype="float32")

    @R.function
    def other_dtype(x: R.Tensor((8,), "float32")):
        cls = Outputs
        y = R.call_tir(cls.spread, (x,), R.Tensor((4, 2), "float16"))
        #!                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `spread` is R.Tensor((4, 2), dtype="float16"), expected R.Tensor((4, p), dtype="float32"): the dtype is float16, expected float32
        #!     line 27: this parameter of the PrimFunc
        #!     line 46: the callee's `p` is 2, dimension 1 of this argument
        #! y: R.Tensor((4, 2), dtype="float16")
        return y

    @R.function
    def other_rank(x: R.Tensor((8,), "float32")):
        cls = Outputs
        y = R.call_tir(cls.spread, (x,), R.Tensor((4, 2, 1), "float32"))
        #!                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `spread` is R.Tensor((4, 2, 1), dtype="float32"), expected R.Tensor((4, p), dtype="float32"): the number of dimensions is 3, expected 2
        #!     line 27: this parameter of the PrimFunc
        #! y: R.Tensor((4, 2, 1), dtype="float32")
        return y
