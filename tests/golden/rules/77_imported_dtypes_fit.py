# rlx-golden: check
# A dtype or a length that another module says may be the one that fits, beside lengths that are open, too; what no value mends is told.
from elsewhere import DT, LAST, N
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.Buffer((T.int64(6), T.int64(7)), "float16")):
        for i, j in T.grid(T.int64(6), T.int64(7)):
            with T.sblock("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                a[vi, vj] = a[vi, vj] * T.float16(2)

    @R.function
    def norm(x: R.Tensor((3, 6, LAST), DT), g: R.Tensor((N, 7), "float16")):
    #!                          ^^^^ hint[RLX0202]: the value of `LAST` is known to Python only: it may be anything here
    #!                                 ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                                   ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        y = R.nn.layer_norm(x, g, g, axes=[-2, -1])
        z = R.nn.rms_norm(x, g, axes=[-2, -1])
        v = R.nn.layer_norm(R.zeros((6, LAST), "float32"), g, g, axes=[-2, -1])
        #!                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                              ^^^^ hint[RLX0202]: the value of `LAST` is known to Python only: it may be anything here
        #!                                                 ^ error[RLX0302]: R.nn.layer_norm: operands have different dtypes, float32 and float16
        #!     line 17: `g` is R.Tensor(({N}, 7), dtype="float16")
        return y, z, v

    @R.function
    def group(x: R.Tensor((3, 6, LAST), "float16"), g: R.Tensor((N,), DT), b: R.Tensor((6,), "float16")):
    #!                           ^^^^ hint[RLX0202]: the value of `LAST` is known to Python only: it may be anything here
    #!                                                           ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                                                                ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        y = R.nn.group_norm(x, g, b, num_groups=2, channel_axis=1, axes=[2])
        return y

    @R.function
    def inplace(x: R.Tensor((N, 7), "float16"), y: R.Tensor((6, 7)), z: R.Tensor((N, 8), DT)):
    #!                       ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                                                                            ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                                                                                   ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        cls = Module
        a = R.call_tir_inplace(cls.twice, (x,), [0], R.Tensor((6, LAST), DT))
        #!                                                        ^^^^ hint[RLX0202]: the value of `LAST` is known to Python only: it may be anything here
        #!                                                               ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        c = R.call_tir_inplace(cls.twice, (z,), [0], R.Tensor((6, 7), DT))
        #!                                      ^^^ error[RLX0326]: R.call_tir_inplace: argument 0 is R.Tensor(({N}, 8)), but the output that overwrites it is R.Tensor((6, 7))
        #!                                                            ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        return a, c
