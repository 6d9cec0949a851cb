# rlx-golden: check
# Rule 1: every global used is defined in the module; names are unique; `global_symbol` equals the name; a private
# function has none.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Undefined:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Undefined
        y = cls.helper(x)
        #!      ^^^^^^ error[RLX0205]: module `Undefined` has no function `helper`
        return y

    @R.function
    def spelled(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = Undefined.mian(x)
        #!            ^^^^ error[RLX0205]: module `Undefined` has no function `mian`; did you mean `main`?
        #!     fix: change to `main`
        return y

    @R.function
    def bare(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = main(x)
        #!  ^^^^ error[RLX0204]: function `main` of the module is written `Undefined.main`, or `cls.main` after `cls = Undefined`
        #!     fix: refer to it through the module
        return y

    @R.function
    def tir(x: R.Tensor((2,), "float32")):
        cls = Undefined
        y = R.call_tir(cls.add, (x,), R.Tensor((2,), "float32"))
        #!                 ^^^ error[RLX0205]: module `Undefined` has no function `add`
        return y


@I.ir_module
class Twice:
    @R.function
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x

    @R.function
    def f(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
    #!  ^ error[RLX0213]: module `Twice` has a function `f` already
    #!     line 35: the first one
        return x

    @T.prim_func
    def f(A: T.Buffer((2,), "float32")):
    #!  ^ error[RLX0213]: module `Twice` has a function `f` already
    #!     line 35: the first one
        for i in range(2):
            A[i] = T.float32(0)


@I.ir_module
class Symbols:
    @R.function
    def other_name(x: R.Tensor((2,), "float32")):
        R.func_attr({"global_symbol": "main"})
        #!                            ^^^^^^ error[RLX0211]: `global_symbol` is "main", but the function is named `other_name`
        #!     line 51: the function's name
        #!     fix: change to "other_name"
        return x

    @R.function
    def same_name(x: R.Tensor((2,), "float32")):
        R.func_attr({"global_symbol": "same_name"})
        return x

    @R.function(private=True)
    def hidden(x: R.Tensor((2,), "float32")):
        R.func_attr({"global_symbol": "hidden"})
        #!           ^^^^^^^^^^^^^^^ error[RLX0212]: `hidden` is private, so it can't have a `global_symbol`
        #!     fix: remove it
        return x

    @R.function(private=True)
    def hidden_well(x: R.Tensor((2,), "float32")):
        R.func_attr({"Primitive": True})
        return x

    @T.prim_func
    def kernel(A: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "other"})
        for i in range(2):
            A[i] = T.float32(0)

    @T.prim_func(private=True)
    def hidden_kernel(A: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "hidden_kernel"})
        #!           ^^^^^^^^^^^^^^^ error[RLX0212]: `hidden_kernel` is private, so it can't have a `global_symbol`
        #!     fix: remove it
        for i in range(2):
            A[i] = T.float32(0)

    @T.prim_func
    def good_kernel(A: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "good_kernel", "tirx.noalias": True})
        for i in range(2):
            A[i] = T.float32(0)


@I.ir_module
class Right:
    @R.function(private=True)
    def helper(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.abs(x)
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Right
        y = cls.helper(x)
        return y
