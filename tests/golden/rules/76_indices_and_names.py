# rlx-golden: check
# Indices that no list can have; a name that TVM's printer gives the namespace T, in a file that imports another one.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), k: T.int64) -> R.Any:
    a = (x, y)[1 << 64]
    #!         ^^^^^^^ error[RLX0446]: an item of a list: `index` is an integer of more than 64 bits, expected an int
    b = [x, y][9223372036854775809]
    #!         ^^^^^^^^^^^^^^^^^^^ error[RLX0446]: an item of a list: `index` is the Python int 9223372036854775809 of 64 bits, expected an int
    c = [x, y][:1 << 70][1]
    d = R.prim_value(Tx.int32(3))
    #!               ^^ error[RLX0201]: `Tx` is not defined; did you mean `x`?
    #!     fix: change to `x`
    return x
