# Numbers of Python that TVM makes a float32 of, as it does beside an expression and for some arguments.
from tvm.script import relax as R, tirx as T


@R.function
def scalars(x: R.Tensor((4, 4), "float32")):
    a = R.prim_value(-1e39)
    #!               ^^^^^ error[RLX0446]: R.prim_value: `value` is the Python float -1e+39, expected a number that float32 holds
    #! a: R.Object
    b = R.prim_value(1e38)
    #! b: R.Prim(value=T.float32(1e+38))
    c = R.prim_value(T.float64(2e38) * 1e39)
    #!               ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `*` can't be applied to the floating-point number `T.float64(2e+38)` and the Python float 1e+39: the number becomes a float32, which does not hold it
    #! c: R.Object
    d = R.prim_value(T.bfloat16(1e39))
    #!                          ^^^^ error[RLX0446]: T.bfloat16: `value` is the Python float 1e+39, expected a number that float32 holds
    #! d: R.Object
    e = R.prim_value(T.FloatImm("float64", 1e39))
    #! e: R.Prim(value=T.FloatImm("float64", 1e+39))
    f = R.prim_value(T.uint64(2**63))
    #!                        ^^^^^ error[RLX0446]: T.uint64: `value` is the Python int 9223372036854775808 of 64 bits, expected a number that int64 holds
    #! f: R.Object
    old = R.call_pure_packed("f", x, sinfo_args=R.Tensor((4, 4), "float32"))
    #! old: R.Tensor((4, 4), dtype="float32")
    return (a, b, c, d, e, f, old)


@R.function
def operators(x: R.Tensor((4, 4), "float32")):
    a = R.tril(x, 3e39)
    #!            ^^^^ error[RLX0446]: R.tril: `k` is the Python float 3e+39, expected a number that float32 holds
    #! a: R.Tensor((4, 4), dtype="float32")
    b = R.clip(x, -1e39, 1e39)
    #! b: R.Tensor((4, 4), dtype="float32")
    c = R.arange(0, 1e39, 1e38)
    #!              ^^^^ error[RLX0446]: R.arange: `end` is the Python float 1e+39, expected a number that float32 holds
    #! c: R.Tensor((T.Cast("int64", ceil(T.float32(1e+01))),), dtype="float32")
    d = R.const(1e39, "float64")
    #! d: R.Tensor((), dtype="float64")
    return (a, b, c, d)
