# rlx-golden: check
# A function of a variable, a local one or a parameter, takes Relax values alone; one of the module takes Python's tuples, too.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Calls:
    @R.function
    def pair(p: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        return p

    @R.function
    def length(n: R.Prim("int64")):
        return n

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((4,), "float32"), f: R.Callable((R.Tuple(R.Tensor, R.Tensor),), R.Object)):
        n = T.int64()

        @R.function
        def local(p: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
            return p

        a = Calls.pair((y, y))
        b = Calls.pair([y, y])
        #!             ^^^^^^ error[RLX0442]: a list is not a Relax value
        #!     fix: write it as `R.tuple(…)`
        c = local((y, y))
        #!        ^^^^^^ error[RLX0442]: a tuple is not a Relax value
        #!     fix: write it as `R.tuple(…)`
        d = local([y for _ in range(2)])
        #!        ^^^^^^^^^^^^^^^^^^^^^ error[RLX0442]: a list is not a Relax value
        #!     fix: write it as `R.tuple(…)`
        e = local(R.tuple(y, y))
        g = f((y, x))
        #!    ^^^^^^ error[RLX0442]: a tuple is not a Relax value
        #!     fix: write it as `R.tuple(…)`
        h = Calls.length(n)
        #!               ^ error[RLX0442]: the symbolic integer `n` is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        i = Calls.length(R.prim_value(n))
        return a


@R.function(pure=0, private=1)
def flags(x: R.Tensor((4,), "float32")):
    R.print(x, format="{}")
    return x


@R.function(private=1)
def named(x: R.Tensor((4,), "float32")):
    R.func_attr({"global_symbol": "named"})
    #!           ^^^^^^^^^^^^^^^ error[RLX0212]: `named` is private, so it can't have a `global_symbol`
    #!     fix: remove it
    return x
