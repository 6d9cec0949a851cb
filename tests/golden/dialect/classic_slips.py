# Names of T in a dialect whose names are not listed: what no dialect has and one letter mends is a slip; the rest may be right.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tir as T


@T.prim_func
def slips(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
    for i, j in T.grdi(16, 8):
    #!            ^^^^ error[RLX0203]: `T.grdi` does not exist; did you mean `T.grid`?
    #!     fix: change to `T.grid`
        with T.blok("b"):
        #!     ^^^^ error[RLX0203]: `T.blok` does not exist; did you mean `T.block`?
        #!     fix: change to `T.block`
            vi, vj = T.axis.rmap("SS", [i, j])
            #!              ^^^^ error[RLX0203]: `T.axis.rmap` does not exist; did you mean `T.axis.remap`?
            #!     fix: change to `T.axis.remap`
            B[vi, vj] = A[vi, vj] + T.flot32(1)
            #!                        ^^^^^^ error[RLX0203]: `T.flot32` does not exist; did you mean `T.float32`?
            #!     fix: change to `T.float32`


@T.prim_func
def may_be_right(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"global_symbol": "may_be_right"})
    for i in T.range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            B[vi] = T.once(A[vi]) + T.float32x1(1)


@T.prim_func
def before_namespaces(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.block("mma"):
        T.ptx_mma("m8n8k4", "row", "col", "fp64", "fp64", "fp64", A.data, 0, A.data, 0, B.data, 0, False, dtype="float64")
        T.evaluate(T.ptx_cp_async("float32", A.data, 0, B.data, 0, 4, dtype="float32"))
