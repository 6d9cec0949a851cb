# From 0.26 on a local function may use a symbolic variable of the function around it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", 4), "float32")) -> R.Any:
    n = T.int64()

    @R.function
    def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    #! inner: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
        z = R.zeros((n * 2, 4), "float32")
        #! z: R.Tensor((n * 2, 4), dtype="float32")
        w = R.add(y, R.sum(x, axis=[0]))
        #!           ^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((4,), dtype="float32")
        #! w: R.Tensor((4,), dtype="float32")
        return w

    v = inner(R.sum(x, axis=[0]))
    #!        ^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((4,), dtype="float32")
    #! v: R.Tensor((4,), dtype="float32")
    return v
