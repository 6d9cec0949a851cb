# The names that floats of 8 bits had until 0.19, in a script of today.
from tvm.script import relax as R, tirx as T


@T.prim_func(s_tir=True)
def names(A: T.Buffer((4,), "e5m2_float8x4")):
#!                          ^^^^^^^^^^^^^^^ error[RLX0902]: `"e5m2_float8x4"` is not in dialect 0.25, which has `"float8_e5m2x4"`
#!     fix: write `"float8_e5m2x4"`
    T.func_attr({"text": "e5m2_float8"})
    for i in range(4):
        with T.sblock("b"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.Broadcast(T.e5m2_float8(1), 4)
            #!                    ^^^^^^^^^^^ error[RLX0902]: `e5m2_float8` is not in dialect 0.25, which has `float8_e5m2`
            #!     fix: write `float8_e5m2`


@R.function
def main(x: R.Tensor((4,), dtype="float8_e5m2")):
    return R.astype(x, "e4m3_float8")
    #!                 ^^^^^^^^^^^^^ error[RLX0902]: `"e4m3_float8"` is not in dialect 0.25, which has `"float8_e4m3fn"`
    #!     fix: write `"float8_e4m3fn"`
    #! gv: R.Tensor((4,), dtype="float8_e4m3fn")
