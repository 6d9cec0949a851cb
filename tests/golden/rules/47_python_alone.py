# What Python alone knows is an unknown dimension or dtype: what is wrong whatever it is, is said; what may be right is not.
import os
from dataclasses import dataclass

from elsewhere.config import CFG, DT, HIDDEN, make
from tvm.script import ir as I, relax as R, tirx as T

W = int(os.environ["W"])
SIZES = [4, 8]


@dataclass
class Config:
    hidden: int = 64


cfg = Config()


@I.ir_module
class M:
    @R.function
    def ranks(x: R.Tensor((W, HIDDEN), DT), w: R.Tensor((HIDDEN, cfg.hidden), DT)):
    #!                     ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                        ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                 ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                                   ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                                           ^^^ hint[RLX0202]: the value of `cfg` is known to Python only: it may be anything here
    #!                                                                        ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        a = R.permute_dims(x, axes=[0, 1, 2])
        #!                         ^^^^^^^^^ error[RLX0306]: R.permute_dims: 3 axes given for a tensor of rank 2
        #! a: R.Tensor(ndim=2)
        b = R.sum(x, axis=2)
        #!                ^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        #! b: R.Tensor
        c = R.concat((x, R.sum(w, axis=0)), axis=0)
        #!           ^^^^^^^^^^^^^^^^^^^^^ error[RLX0311]: R.concat: `tensors[1]` has rank 1, but `tensors` has rank 2
        #!     line 23: `x` is R.Tensor(({W}, {HIDDEN}))
        #!               ^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor(({cfg.hidden},))
        #! c: R.Tensor
        d = R.reshape(x, (HIDDEN, W))
        #!                ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
        #!                        ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #! d: R.Tensor(({HIDDEN}, {W}))
        e = R.squeeze(d, axis=[2])
        #!                    ^^^ error[RLX0305]: R.squeeze: axis 2 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        #! e: R.Tensor
        t = (x, w)
        #! t: R.Tuple(R.Tensor(({W}, {HIDDEN})), R.Tensor(({HIDDEN}, {cfg.hidden})))
        f = t[2]
        #!    ^ error[RLX0357]: index 2 is out of range for a tuple of 2
        #!     fix: change to `1`
        #! f: R.Object
        g = x.shapes
        #!    ^^^^^^ error[RLX0203]: `R.Tensor(({W}, {HIDDEN})).shapes` does not exist
        #! g: R.Object
        return d

    @R.function
    def numbers(x: R.Tensor((W, 3), DT), w: R.Tensor((4, cfg.hidden), DT), k: R.Tensor((W, 2), "int32")):
    #!                       ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                              ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                                   ^^^ hint[RLX0202]: the value of `cfg` is known to Python only: it may be anything here
    #!                                                                ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                                                                  ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        a = R.matmul(x, w)
        #!  ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in ({W}, 3), 4 in (4, {cfg.hidden})
        #!     line 35: `x` is R.Tensor(({W}, 3))
        #!     line 35: `w` is R.Tensor((4, {cfg.hidden}))
        #!     fix: declare dimension 0 of `w` as 3
        #! a: R.Tensor(({W}, {cfg.hidden}))
        b = R.add(x, R.zeros((W, 2), DT))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes ({W}, 3) and ({W}, 2) can't be broadcast: dimension 1 is 3, dimension 1 of the other is 2
        #!     line 35: `x` is R.Tensor(({W}, 3))
        #!           ^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                    ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #!                           ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        #! gv: R.Tensor(({W}, 2))
        #! b: R.Tensor(ndim=2)
        c = R.add(k, R.zeros((W, 2), "float32"))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.add: operands have different dtypes, int32 and float32
        #!     line 35: `k` is R.Tensor(({W}, 2), dtype="int32")
        #!     fix: cast the right operand to int32
        #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                    ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #! gv1: R.Tensor(({W}, 2), dtype="float32")
        #! c: R.Tensor(({W}, 2))
        d = R.reshape(R.zeros((2, 3), "int32"), (HIDDEN, 4))
        #!            ^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                                      ^^^^^^^^^^^ error[RLX0313]: R.reshape: the tensor has 6 elements, the new shape ({HIDDEN}, 4) has {HIDDEN} * 4 (6 against 8 for {HIDDEN} = 2)
        #!                                       ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
        #! gv2: R.Tensor((2, 3), dtype="int32")
        #! d: R.Tensor(({HIDDEN}, 4), dtype="int32")
        e: R.Tensor((W, 2, 1), "int32") = R.add(k, k)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor(({W}, 2, 1), dtype="int32"), but the value is R.Tensor(({W}, 2), dtype="int32"): the number of dimensions is 2, expected 3
        #!     line 40: the value is the result of R.add
        #!     line 35: `k` is R.Tensor(({W}, 2), dtype="int32")
        #!           ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #! e: R.Tensor(({W}, 2, 1), dtype="int32")   (deduced R.Tensor(({W}, 2), dtype="int32"))
        return b

    @R.function
    def fine(x: R.Tensor((W, 3), DT), w: R.Tensor((HIDDEN, 4), DT), v: R.Tensor((2, 3), "float32")):
    #!                    ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                           ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                             ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                                         ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        a = R.matmul(x, w)
        #! a: R.Tensor(({W}, 4))
        b = R.add(x, v)
        #! b: R.Tensor(ndim=2)
        c: R.Tensor((W, 4), DT) = R.matmul(x, w)
        #!           ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #!                  ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        #! c: R.Tensor(({W}, 4))
        d = R.reshape(v, (HIDDEN, W))
        #!                ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
        #!                        ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #! d: R.Tensor(({HIDDEN}, {W}), dtype="float32")
        e = R.permute_dims(v, axes=CFG.axes)
        #!                         ^^^^^^^^ hint[RLX0202]: the value of `CFG.axes` is known to Python only: it may be anything here
        #! e: R.Tensor(dtype="float32", ndim=2)
        f = R.astype(v, DT)
        #!              ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        #! f: R.Tensor((2, 3))
        g = R.multiply(f, R.const(2, DT))
        #!                           ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        #! g: R.Tensor((2, 3))
        h = R.sum(v, axis=CFG.axis, keepdims=True)
        #!                ^^^^^^^^ hint[RLX0202]: the value of `CFG.axis` is known to Python only: it may be anything here
        #! h: R.Tensor(dtype="float32")
        i = R.strided_slice(x, axes=[0], begin=[HIDDEN], end=[W])
        #!                                      ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
        #!                                                    ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #! i: R.Tensor(ndim=2)
        return R.add(R.add(a, b), c)
        #!           ^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor(ndim=2)
        #! gv1: R.Tensor(ndim=2)

    @R.function
    def block(x: R.Tensor((W, HIDDEN), DT)) -> R.Tensor((W, HIDDEN), DT):
    #!                     ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                        ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                 ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #!                                                   ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                                                      ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                                               ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        with R.dataflow():
            a = R.add(x, x)
            #! a: R.Tensor(({W}, {HIDDEN}))
            b = R.add(a, a)
            #! b: R.Tensor(({W}, {HIDDEN}))
            R.output(b)
        return a
        #!     ^ error[RLX0207]: `a` is local to its dataflow block: add it to `R.output` there
        #!     line 59: bound in this block
        #!     fix: add `a` to the outputs of its block

    @R.function
    def calls(x: R.Tensor((W, HIDDEN), DT)):
    #!                     ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
    #!                        ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
    #!                                 ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        a = M.fine(x, x)
        #!    ^^^^ error[RLX0426]: `fine` takes 3 arguments, 2 given
        #!     line 44: declared here
        #! a: R.Tensor(ndim=2)
        b = M.block(R.reshape(x, (W, HIDDEN, 1)))
        #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0427]: argument 0 of `block` is R.Tensor(({W}, {HIDDEN}, 1)), expected R.Tensor(({W}, {HIDDEN})): the number of dimensions is 3, expected 2
        #!     line 57: declared here
        #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                        ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
        #!                           ^^^^^^ hint[RLX0202]: the value of `HIDDEN` is known to Python only: it may be anything here
        #! gv: R.Tensor(({W}, {HIDDEN}, 1))
        #! b: R.Tensor(({W}, {HIDDEN}))
        c = M.block(x)
        #! c: R.Tensor(({W}, {HIDDEN}))
        d = R.sum(c, axis=2)
        #!                ^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        #! d: R.Tensor
        e = make(x)
        #! e: R.Object
        if x:
        #! ^ error[RLX0434]: the condition is R.Tensor(({W}, {HIDDEN})), expected a scalar bool tensor or `R.Prim("bool")`
        #! f: R.Tensor(({W}, {HIDDEN}))
            f = R.add(x, x)
            #! f: R.Tensor(({W}, {HIDDEN}))
        else:
            f = R.multiply(x, x)
            #! f: R.Tensor(({W}, {HIDDEN}))
        return R.nothing(f)
        #!       ^^^^^^^ error[RLX0203]: `R.nothing` does not exist


@R.function
def result(x: R.Tensor((W, 2), DT)) -> R.Tensor((W, 3), DT):
#!                      ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
#!                             ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
#!                                               ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
#!                                                      ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    return R.add(x, x)
    #!     ^^^^^^^^^^^ error[RLX0353]: the function is declared to return R.Tensor(({W}, 3)), but the value is R.Tensor(({W}, 2)): dimension 1 is 2, expected 3
    #!     line 79: declared here
    #!     fix: declare what is returned
    #! gv: R.Tensor(({W}, 2))


@R.function
def cast(x: R.Tensor((W, 2), DT)):
#!                    ^ hint[RLX0202]: the value of `W` is known to Python only: it may be anything here
#!                           ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    k = T.int64()
    y = R.match_cast(x, R.Tensor((k, 3), DT))
    #!                  ^^^^^^^^^^^^^^^^^^^^ error[RLX0361]: this match_cast can never succeed: R.Tensor(({W}, 2)) against R.Tensor((k, 3)): dimension 1 is 2, expected 3
    #!                                   ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
    #! y: R.Tensor((k, 3))   (deduced R.Tensor(({W}, 2)))
    z = R.match_cast(x, R.Tensor((k, 2), "float16"))
    #! z: R.Tensor((k, 2), dtype="float16")   (deduced R.Tensor(({W}, 2)))
    w = R.add(z, R.zeros((k, 2), "float32"))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.add: operands have different dtypes, float16 and float32
    #!     line 87: `z` is R.Tensor((k, 2), dtype="float16")
    #!     fix: cast the right operand to float16
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((k, 2), dtype="float32")
    #! w: R.Tensor((k, 2))
    return z
