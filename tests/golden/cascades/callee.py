# An error in a callee beside wrong calls of it: what a parameter's StructInfo can explain is one mistake, the rest are two.
from tvm.script import ir as I, relax as R, tirx as T


# No parameter's StructInfo makes an operator exist.
@I.ir_module
class Name:
    @R.function
    def f(x: R.Tensor((2, 3), "float32"), flag: R.Object):
        y = R.abss(x)
        #!    ^^^^ error[RLX0203]: `R.abss` does not exist; did you mean `R.abs`?
        #!     fix: change to `R.abs`
        #! y: R.Object
        return y

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), z: R.Tensor((4, 5), "float32")):
        a = Name.f(z, x)
        #!         ^ error[RLX0427]: argument 0 of `f` is R.Tensor((4, 5), dtype="float32"), expected R.Tensor((2, 3), dtype="float32"): dimension 0 is 4, expected 2
        #!     line 9: declared here
        #! a: R.Object
        return a


# Another call fits: the signature is right.
@I.ir_module
class Fits:
    @R.function
    def f(x: R.Tensor((2, 3), "float32")):
        y = R.add(x, R.const([1, 2], "float32"))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (2, 3) and (2,) can't be broadcast: dimension 1 is 3, dimension 0 of the other is 2
        #!     line 23: `x` is R.Tensor((2, 3), dtype="float32")
        #!     fix: declare dimension 1 of `x` as 2
        #! y: R.Tensor(dtype="float32", ndim=2)
        return y

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), z: R.Tensor((4, 5), "float32")):
        b = Fits.f(x)
        #! b: R.Tensor(dtype="float32", ndim=2)
        a = Fits.f(z)
        #!         ^ error[RLX0427]: argument 0 of `f` is R.Tensor((4, 5), dtype="float32"), expected R.Tensor((2, 3), dtype="float32"): dimension 0 is 4, expected 2
        #!     line 23: declared here
        #! a: R.Tensor(dtype="float32", ndim=2)
        return a


# No call fits: the signature may be what is wrong, and one place is reported.
@I.ir_module
class Signature:
    @R.function
    def f(x: R.Tensor((3, 3), "float32")):
        y = R.add(x, R.const([1, 2], "float32"))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (3, 3) and (2,) can't be broadcast: dimension 1 is 3, dimension 0 of the other is 2
        #!     line 38: `x` is R.Tensor((3, 3), dtype="float32")
        #!     line 44: this call does not fit, either
        #!     fix: declare dimension 1 of `x` as 2
        #! y: R.Tensor(dtype="float32", ndim=2)
        return y

    @R.function
    def main(x: R.Tensor((2, 2), "float32")):
        b = Signature.f(x)
        #! b: R.Tensor(dtype="float32", ndim=2)
        return b


@R.function
def local(x: R.Tensor((2, 3), "float32"), z: R.Tensor((4, 5), "float32")):
    @R.function
    def g(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    #! g: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True)
        w = R.sum(y, axis=7)
        #!                ^ error[RLX0305]: R.sum: axis 7 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        #! w: R.Tensor(dtype="float32")
        return w

    b = g(x)
    #! b: R.Tensor((2, 3), dtype="float32")
    a = g(z)
    #!    ^ error[RLX0427]: argument 0 of `g` is R.Tensor((4, 5), dtype="float32"), expected R.Tensor((2, 3), dtype="float32"): dimension 0 is 4, expected 2
    #! a: R.Tensor((2, 3), dtype="float32")
    return a


@I.ir_module
class Buffers:
    @T.prim_func(s_tir=True)
    def p(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                b[vi] = T.max(a[vi])
                #!      ^^^^^^^^^^^^ error[RLX0423]: T.max: argument `b` is missing

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        a = R.call_tir(Buffers.p, (x,), out_sinfo=R.Tensor((4,), "float32"))
        #!                         ^ error[RLX0440]: input 0 of `p` is R.Tensor((5,), dtype="float32"), expected R.Tensor((4,), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 63: this parameter of the PrimFunc
        #!     fix: declare dimension 0 of `x` as 4
        #! a: R.Tensor((4,), dtype="float32")
        return a


# A wrong result annotation: an error, and a warning where callers that it does not fit have the error.
@I.ir_module
class Result:
    @R.function
    def unused(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 4), "float32"):
        return x
        #!     ^ error[RLX0353]: the function is declared to return R.Tensor((2, 4), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 1 is 3, expected 4
        #!     line 79: declared here
        #!     fix: declare what is returned

    @R.function
    def used(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 4), "float32"):
        return x
        #!     ^ warning[RLX0353]: the function is declared to return R.Tensor((2, 4), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 1 is 3, expected 4
        #!     line 83: declared here
        #!     fix: declare what is returned

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y: R.Tensor((2, 3), "float32") = Result.used(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is R.Tensor((2, 4), dtype="float32"): dimension 1 is 4, expected 3
        #! y: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor((2, 4), dtype="float32"))
        return y
