# rlx-golden: check
# What R.print takes, `nonlocal` with and without a function of Python around, an assignment in a signature, objects of T that can't be called.
from tvm.script import ir as I, relax as R, tirx as T


@R.function(pure=False)
def printed(x: R.Tensor((4,), "float32"), o: R.Object):
    a = R.print((x,), format="{}")
    #!          ^^^^ error[RLX0301]: R.print expects a Relax value as `values`, found a tuple
    b = R.print([x, x], format="{}")
    #!          ^^^^^^ error[RLX0301]: R.print expects a Relax value as `values`, found a list
    c = R.print(R.tuple(x, x), format="{}")
    d = abs(o)
    #!      ^ error[RLX0446]: Python's `abs`: `argument` is R.Object, expected a number
    e = T.R(1)
    #!  ^^^ error[RLX0428]: `T.R` can't be called
    f = T.cuda()
    #!  ^^^^^^ error[RLX0428]: `T.cuda` can't be called
    return x


@R.function
def alone(x: R.Tensor((4, (q := 3)), "float32")):
    nonlocal q
#!  ^^^^^^^^^^ error[RLX0429]: `nonlocal` can't be used in a Relax function
    return x


def make():
    q = 3

    @R.function
    def inside(x: R.Tensor((4,), "float32")):
        nonlocal q
        return x

    return inside


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, (r := 3)), "float32")):
    #!                        ^^^^^^ error[RLX0429]: an assignment expression can't be used in a Relax function
        return x
