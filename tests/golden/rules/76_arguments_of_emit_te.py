# rlx-golden: check
# R.emit_te makes tensors of TE of variables, constants and fields, and numbers of what is one: not of calls, whose results have no name.
from tvm import topi
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n", 4]), t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        n = T.int64()
        a = R.emit_te(topi.subtract, R.exp(x), x)
        #!                           ^^^^^^^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        b = R.emit_te(topi.nn.softmax, -x, axis=1)
        #!                             ^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        c = R.emit_te(topi.concatenate, [x, x * x], axis=0)
        #!                                  ^^^^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        d = R.emit_te(topi.broadcast_to, t[1], s)
        #!                                     ^ error[RLX0446]: R.emit_te: `args` is R.Shape([n, 4]), expected tensors, numbers and written shapes
        e = R.emit_te(topi.broadcast_to, t[1], R.shape([n, 4]))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Module` has a function `broadcast_to` already
        #!     line 15: the first one
        f = R.emit_te(topi.multiply, t, t[0])
        #!                           ^ error[RLX0446]: R.emit_te: `args` is R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), expected tensors, numbers and written shapes
        g = R.emit_te(topi.multiply, R.const(2.0), t[0])
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Module` has a function `multiply` already
        #!     line 17: the first one
        h = R.emit_te(topi.full_like, x, R.str("0"))
        #!                               ^^^^^^^^^^ error[RLX0446]: R.emit_te: `args` is R.Object, expected tensors, numbers and written shapes
        i = R.emit_te(topi.clip, x, 0, "6")
        #!                             ^^^ error[RLX0446]: topi.clip: `a_max` is the string "6", expected a number
        j = R.emit_te(topi.clip, x, [0], 6)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Module` has a function `clip` already
        #!     line 20: the first one
        #!                          ^^^ error[RLX0446]: topi.clip: `a_min` is a list, expected a number
        k = R.emit_te(topi.clip, t[0], 1e39, n)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Module` has a function `clip` already
        #!     line 20: the first one
        #!                             ^^^^ error[RLX0446]: topi.clip: `a_min` is the Python float 1e+39, expected a number that float32 holds
        l = R.emit_te(lambda q: q, R.exp(x))
        #!                         ^^^^^^^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        o = R.layout_transform(x, index_map=lambda p, q: (q, p.span))
        #!                                  ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.layout_transform expects a lambda that gives expressions of its indices as `index_map`, found a list
        u = R.layout_transform(x, index_map=lambda p, q: (q, p < q))
        #!                                                   ^^^^^ error[RLX0362]: the symbolic integer `p < q` of dtype bool is not a dimension: expected an integer or a symbolic integer
        v = R.layout_transform(x, index_map=lambda p, q: (q, ...))
        #!                                                   ^^^ error[RLX0362]: `...` is not a dimension: expected an integer or a symbolic integer
        return x
