# rlx-golden: check
# Rule 7: no `if`, no impure call and no loop in a dataflow block.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def branches(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    with R.dataflow():
        if c:
#!      ^^^^^ error[RLX0437]: `if` can't stand in a dataflow block
            lv = R.abs(x)
        else:
            lv = R.exp(x)
        gv = R.log(lv)
        R.output(gv)
    return gv


@R.function(pure=False)
def impure(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
        #!     ^^^^^^^^^^^ error[RLX0433]: `R.call_packed` is impure (a packed function may do anything) and can't stand in a dataflow block
        #!     fix: call it as a pure function
        gv = R.abs(lv)
        R.output(gv)
    return gv


@R.function(pure=False)
def prints(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        _ = R.print(gv, format="{}")
        #!    ^^^^^ error[RLX0433]: `R.print` is impure (it prints) and can't stand in a dataflow block
        R.output(gv)
    return gv


@R.function
def in_a_pure_function(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
        #!     ^^^^^^^^^^^ error[RLX0433]: `R.call_packed` is impure (a packed function may do anything) and can't stand in a dataflow block
        #!     fix: call it as a pure function
        gv = R.abs(lv)
        R.output(gv)
    return gv


@I.ir_module
class Impure:
    @R.function(pure=False)
    def effect(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(x, format="{}")
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Impure
        with R.dataflow():
            gv = cls.effect(x)
            #!       ^^^^^^ error[RLX0433]: `effect` is impure (it is declared with `pure=False`) and can't stand in a dataflow block
            R.output(gv)
        return gv


@R.function
def loops(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        for i in range(2):
#!      ^^^^^^^^^^^^^^^^^^ error[RLX0429]: `for` can't be used in a Relax function
            lv = R.abs(x)
        gv = R.abs(x)
        R.output(gv)
    return gv


@R.function
def whiles(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        while x:
#!      ^^^^^^^^ error[RLX0429]: `while` can't be used in a Relax function
            lv = R.abs(x)
        gv = R.abs(x)
        R.output(gv)
    return gv


@R.function
def nested(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        with R.dataflow():
#!      ^^^^^^^^^^^^^^^^^^ error[RLX0437]: another dataflow block can't stand in a dataflow block
            lv1 = R.exp(lv)
            R.output(lv1)
        gv = R.log(lv1)
        R.output(gv)
    return gv


@R.function
def returns_inside(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        return gv


@R.function(pure=False)
def right(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.call_pure_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
        gv = R.abs(lv)
        R.output(gv)
    if c:
        y = R.abs(gv)
    else:
        y = R.exp(gv)
    _ = R.print(y, format="{}")
    return y
