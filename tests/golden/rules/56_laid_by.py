# rlx-golden: check
# What a list or an annotation under a name is, TVM asks when something uses the name.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Unread:
    @R.function
    def annotations(x: R.Tensor((3,), "float32")):
        a = R.Tensor(("m",))
        #!            ^^^ warning[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
        #!     line 10: TVM looks at it when something uses this name, and nothing does
        b = R.Tuple(R.Shape(["k"]), R.Tensor((3, 1.5)))
        #!                   ^^^ warning[RLX0365]: "k" as a dimension can stand in signatures only: write the variable without quotes
        #!     line 11: TVM looks at it when something uses this name, and nothing does
        #!                                       ^^^ warning[RLX0362]: the Python float 1.5 is not a dimension: expected an integer or a symbolic integer
        #!     line 11: TVM looks at it when something uses this name, and nothing does
        c = [R.Tensor((3, 4), ndim=2), R.Callable((R.Tensor(dtype="flt"),), 4)]
        #!                         ^ warning[RLX0356]: ndim is 2 beside a shape, which says the rank: only one of the two can be given
        #!     line 12: TVM looks at it when something uses this name, and nothing does
        #!                                                        ^^^^^ warning[RLX0363]: there is no dtype "flt"
        #!     line 12: TVM looks at it when something uses this name, and nothing does
        #!                                                                  ^ warning[RLX0352]: the Python int 4 is not a StructInfo annotation
        #!     line 12: TVM looks at it when something uses this name, and nothing does
        return x

    @R.function
    def values(x: R.Tensor((3,), "float32"), y: R.Tensor((4,), "float32")):
        a = [R.add(x, y), x.ndim]
        #!   ^^^^^^^^^^^ warning[RLX0303]: R.add: shapes (3,) and (4,) can't be broadcast: dimension 0 is 3, dimension 0 of the other is 4
        #!     line 16: `x` is R.Tensor((3,), dtype="float32")
        #!     line 16: `y` is R.Tensor((4,), dtype="float32")
        #!     line 17: TVM looks at it when something uses this name, and nothing does
        #!   ^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!                ^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        b = {"k": (R.matmul(x, y), 1)}
        #!         ^^^^^^^^^^^^^^ warning[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (3,), 4 in (4,)
        #!     line 16: `x` is R.Tensor((3,), dtype="float32")
        #!     line 16: `y` is R.Tensor((4,), dtype="float32")
        #!     line 18: TVM looks at it when something uses this name, and nothing does
        c = [R.call_packed("f", x)]
        #!   ^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     ^^^^^^^^^^^ warning[RLX0432]: `R.call_packed` is impure (a packed function may do anything), and the function is declared pure
        #!     line 16: declared pure here
        #!     line 19: TVM looks at it when something uses this name, and nothing does
        return x


@I.ir_module
class Read:
    @R.function
    def annotations(x: R.Tensor((3,), "float32")):
        a = R.Tensor(("m",))
        #!            ^^^ error[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
        #!     fix: write it without quotes
        b: a = x
        c = R.Tensor(("k",))
        #!            ^^^ error[RLX0365]: "k" as a dimension can stand in signatures only: write the variable without quotes
        #!     fix: write it without quotes
        d = R.match_cast(x, c)
        return b

    @R.function
    def values(x: R.Tensor((3,), "float32"), y: R.Tensor((4,), "float32")):
        a = [R.add(x, y), x]
        #!   ^^^^^^^^^^^ error[RLX0303]: R.add: shapes (3,) and (4,) can't be broadcast: dimension 0 is 3, dimension 0 of the other is 4
        #!     line 34: `x` is R.Tensor((3,), dtype="float32")
        #!     line 34: `y` is R.Tensor((4,), dtype="float32")
        #!     fix: declare dimension 0 of `y` as 3
        #!     fix: declare dimension 0 of `x` as 4
        #!   ^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        b = a[0]
        return b


@I.ir_module
class Used:
    @R.function
    def at_once(x: R.Tensor((3,), "float32")):
        a = [R.call_dps_packed("f", (x,), R.Tensor(("m",)))]
        #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!                                          ^^^ error[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
        #!     fix: write it without quotes
        b = [R.astype(x, "flt"), R.nothing(x)]
        #!   ^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!               ^^^^^ error[RLX0308]: R.astype: there is no dtype "flt"
        #!                         ^^^^^^^ error[RLX0203]: `R.nothing` does not exist
        c = (R.matmul(x, R.const([1.0, 2.0])), x)
        #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (3,), 2 in (2,)
        #!     line 43: `x` is R.Tensor((3,), dtype="float32")
        #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        d = R.match_cast(x, R.Tensor(("m",)))
        #!                            ^^^ error[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
        #!     fix: write it without quotes
        return x
