# rlx-golden: check
# Rule 8: a pure function has no impure call unless `relax.force_pure`; force_pure requires a pure function; each impure
# call is named with the reason why it is impure.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def packed(x: R.Tensor((2,), "float32")):
    y = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    #!    ^^^^^^^^^^^ error[RLX0432]: `R.call_packed` is impure (a packed function may do anything), and the function is declared pure
    #!     line 8: declared pure here
    #!     fix: declare the function impure
    return y


@R.function
def operator(x: R.Tensor((2,), "float32")):
    _ = R.print(x, format="{}")
    #!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 14: declared pure here
    #!     fix: declare the function impure
    return x


@R.function
def two(x: R.Tensor((2,), "float32")):
    _ = R.print(x, format="{}")
    #!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 20: declared pure here
    #!     fix: declare the function impure
    _ = R.print(x, format="{}")
    return x


@R.function
def in_a_branch(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        _ = R.print(x, format="{}")
        #!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
        #!     line 27: declared pure here
        #!     fix: declare the function impure
        y = R.abs(x)
    else:
        y = R.exp(x)
    return y


@R.function
def through_a_parameter(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), False), x: R.Tensor((2,), "float32")):
    y = f(x)
    #!  ^ error[RLX0432]: `f` is impure (its annotation says so), and the function is declared pure
    #!     line 37: declared pure here
    #!     fix: declare the function impure
    return y


@R.function
def extern(x: R.Tensor((2,), "float32")):
    f = R.ExternFunc("f")
    y = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    #!    ^^^^^^^^^^^ error[RLX0432]: `R.call_packed` is impure (a packed function may do anything), and the function is declared pure
    #!     line 43: declared pure here
    #!     fix: declare the function impure
    return y


@I.ir_module
class Module:
    @R.function(pure=False)
    def effect(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(x, format="{}")
        return x

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = cls.effect(x)
        #!      ^^^^^^ error[RLX0432]: `effect` is impure (it is declared with `pure=False`), and the function is declared pure
        #!     line 52: declared here
        #!     line 57: declared pure here
        #!     fix: declare the function impure
        return y


@R.function(pure=False)
def forced_but_impure(x: R.Tensor((2,), "float32")):
    R.func_attr({"relax.force_pure": True})
    #!           ^^^^^^^^^^^^^^^^^^ error[RLX0448]: `relax.force_pure` is set on a function declared impure
    #!     line 63: declared impure here
    #!     fix: declare the function pure
    _ = R.print(x, format="{}")
    return x


@R.function
def local_impure(x: R.Tensor((2,), "float32")):
    @R.function(pure=False)
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(a, format="{}")
        return a

    y = inner(x)
    #!  ^^^^^ error[RLX0432]: `inner` is impure (it is declared with `pure=False`), and the function is declared pure
    #!     line 71: declared pure here
    #!     fix: declare the function impure
    return y


@R.function(pure=False)
def local_pure_with_impure_call(x: R.Tensor((2,), "float32")):
    @R.function
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(a, format="{}")
        #!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
        #!     line 84: declared pure here
        return a

    y = inner(x)
    return y


@R.function
def right_forced(x: R.Tensor((2,), "float32")):
    R.func_attr({"relax.force_pure": True})
    _ = R.print(x, format="{}")
    return x


@R.function(pure=False)
def right_impure(x: R.Tensor((2,), "float32")):
    _ = R.print(x, format="{}")
    y = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    return y


@R.function
def right_pure(x: R.Tensor((2,), "float32")):
    y = R.call_pure_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    return y


@R.function
def right_local_not_called(x: R.Tensor((2,), "float32")):
    @R.function(pure=False)
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(a, format="{}")
        return a

    y = R.invoke_pure_closure(inner, (x,), sinfo_args=R.Tensor((2,), "float32"))
    return y
