# Sums, products and whole quotients of what Python alone knows: one stand-in for each name, member or item, with the arithmetic around it.
import os

from elsewhere import H, N, cfg
from tvm.script import ir as I, relax as R, tirx as T

K = 4
S = int(os.environ["S"])


@I.ir_module
class M:
    @R.function
    def never(x: R.Tensor((4, N * 2), "float32"), y: R.Tensor((N * 2 + 1, 4), "float32")):
    #!                        ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                                                         ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        return R.matmul(x, y)
        #!     ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: {N} * 2 in (4, {N} * 2), {N} * 2 + 1 in ({N} * 2 + 1, 4) (4 against 5 for {N} = 2)
        #!     line 14: `x` is R.Tensor((4, {N} * 2), dtype="float32")
        #!     line 14: `y` is R.Tensor(({N} * 2 + 1, 4), dtype="float32")
        #! gv: R.Tensor((4, 4), dtype="float32")

    @R.function
    def sometimes(x: R.Tensor((4, N * 2), "float32"), y: R.Tensor((N + 3, 4), "float32")):
    #!                            ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                                                             ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        return R.matmul(x, y)
        #! gv: R.Tensor((4, 4), dtype="float32")

    @R.function
    def at_16(x: R.Tensor((N + 1, 4), "float32"), y: R.Tensor((17, 4), "float32")):
    #!                     ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        return R.add(x, y)
        #! gv: R.Tensor(dtype="float32", ndim=2)

    @R.function
    def negative(x: R.Tensor((4, 24 - N), "float32"), y: R.Tensor((28, 4), "float32")):
    #!                                ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        return R.matmul(x, y)
        #! gv: R.Tensor((4, 4), dtype="float32")

    @R.function
    def members(x: R.Tensor((4, cfg.hidden // cfg.heads[0] * K), "float32"), y: R.Tensor((4, 3), "float32")):
    #!                          ^^^^^^^^^^ hint[RLX0202]: the value of `cfg.hidden` is known to Python only: it may be anything here
        z = R.matmul(x, R.zeros((cfg.hidden // cfg.heads[0] * 4, 3), "float32"))
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                       ^^^^^^^^^^ hint[RLX0202]: the value of `cfg.hidden` is known to Python only: it may be anything here
        #! gv: R.Tensor(({cfg.hidden} // {cfg.heads[0]} * 4, 3), dtype="float32")
        #! z: R.Tensor((4, 3), dtype="float32")
        return R.add(z, R.concat([y, y], axis=0))
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (4, 3) and (8, 3) can't be broadcast: dimension 0 is 4, dimension 0 of the other is 8
        #!     line 31: `z` is R.Tensor((4, 3), dtype="float32")
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv1: R.Tensor((8, 3), dtype="float32")
        #! gv2: R.Tensor(dtype="float32", ndim=2)

    @R.function
    def symbols(x: R.Tensor((4, "n"), "float32")):
        n = T.int64()
        z = R.zeros((n + S,), "float32")
        #!               ^ hint[RLX0202]: the value of `S` is known to Python only: it may be anything here
        #! z: R.Tensor((n + {S},), dtype="float32")
        w = R.add(z, R.zeros((n + 2,), "float32"))
        #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((n + 2,), dtype="float32")
        #! w: R.Tensor(dtype="float32", ndim=1)
        return R.concat([R.reshape(z, (n + S, 1)), R.zeros((n + S + 1, 1), "float32")], axis=1)
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0312]: R.concat: dimension 0 of `tensors[1]` is n + {S} + 1, expected n + {S} (6 against 5 for n = 2, {S} = 3)
        #!               ^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                                 ^ hint[RLX0202]: the value of `S` is known to Python only: it may be anything here
        #!                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                                                      ^ hint[RLX0202]: the value of `S` is known to Python only: it may be anything here
        #! gv1: R.Tensor((n + {S}, 1), dtype="float32")
        #! gv2: R.Tensor((n + {S} + 1, 1), dtype="float32")
        #! gv3: R.Tensor(dtype="float32", ndim=2)

    @R.function
    def dtypes(x: R.Tensor((N, H, S + K), "float32")):
    #!                      ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    #!                         ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
    #!                            ^ hint[RLX0202]: the value of `S` is known to Python only: it may be anything here
        return R.add(x, R.zeros((H, 5, 6), "int8"))
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.add: operands have different dtypes, float32 and int8
        #!     line 42: `x` is R.Tensor(({N}, {H}, {S} + 4), dtype="float32")
        #!     fix: cast the right operand to float32
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                       ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        #! gv: R.Tensor(({H}, 5, 6), dtype="int8")
        #! gv1: R.Tensor(ndim=3)


@I.ir_module
class Calls:
    @T.prim_func(s_tir=True)
    def copy(A: T.Buffer((N, H), "float32"), B: T.Buffer((N, H), "float32")):
        for i, j in T.grid(N, H):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]

    @R.function
    def right(x: R.Tensor((16, H), "float32")):
    #!                         ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        return R.call_tir(Calls.copy, (x,), out_sinfo=R.Tensor((16, 8), "float32"))
        #! gv: R.Tensor((16, 8), dtype="float32")

    @R.function
    def rank(x: R.Tensor((16, H, 1), "float32")):
    #!                        ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        return R.call_tir(Calls.copy, (x,), out_sinfo=R.Tensor((16, 8), "float32"))
        #!                             ^ error[RLX0440]: input 0 of `copy` is R.Tensor((16, {H}, 1), dtype="float32"), expected R.Tensor(({N}, {H}), dtype="float32"): the number of dimensions is 3, expected 2
        #!     line 49: this parameter of the PrimFunc
        #! gv: R.Tensor((16, 8), dtype="float32")

    @R.function
    def dtype(x: R.Tensor((16, H), "float32")):
    #!                         ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        return R.call_tir(Calls.copy, (x,), out_sinfo=R.Tensor((16, 8), "float16"))
        #!                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `copy` is R.Tensor((16, 8), dtype="float16"), expected R.Tensor(({N}, {H}), dtype="float32"): the dtype is float16, expected float32
        #!     line 49: this parameter of the PrimFunc
        #! gv: R.Tensor((16, 8), dtype="float16")

    @R.function
    def count(x: R.Tensor((16, H), "float32")):
    #!                         ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        return R.call_tir(Calls.copy, (x, x), out_sinfo=R.Tensor((16, 8), "float32"))
        #!                            ^^^^^^ error[RLX0439]: `copy` has 2 parameters, this call gives 3 (inputs: 2, outputs: 1)
        #!     line 49: the PrimFunc
        #! gv: R.Tensor((16, 8), dtype="float32")
