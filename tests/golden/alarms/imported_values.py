# What a module of Python holds is known to Python only: nothing that depends on it is refused, wherever it stands.
import settings
import sizes.small as sizes
from settings import HEADS, KIND
from tvm.script import ir as I, relax as R, tirx as T
from . import layouts
from .layouts import ORDER


@I.ir_module(s_tir=True)
class Model:
    @T.prim_func(s_tir=True)
    def scale(A: T.Buffer((HEADS, sizes.width), KIND), B: T.Buffer((HEADS * 2,), "float32")):
        for i in range(HEADS):
            with T.sblock("b"):
                vi = T.axis.spatial(HEADS, i)
                B[vi] = T.float32(settings.factor)

    @R.function
    def main(x: R.Tensor((HEADS, 4), KIND), w: R.Tensor((sizes.width, HEADS * 2 + 1), dtype=settings.kind)):
    #!                    ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
    #!                               ^^^^ hint[RLX0202]: the value of `KIND` is known to Python only: it may be anything here
    #!                                                   ^^^^^^^^^^^ hint[RLX0202]: the value of `sizes.width` is known to Python only: it may be anything here
    #!                                                                ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
    #!                                                                                      ^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.kind` is known to Python only: it may be anything here
        a = R.sum(x, axis=settings.axis)
        #!                ^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.axis` is known to Python only: it may be anything here
        #! a: R.Tensor
        b = R.astype(x, KIND)
        #!              ^^^^ hint[RLX0202]: the value of `KIND` is known to Python only: it may be anything here
        #! b: R.Tensor(({HEADS}, 4))
        c = R.const(settings.factor, KIND)
        #!          ^^^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.factor` is known to Python only: it may be anything here
        #!                           ^^^^ hint[RLX0202]: the value of `KIND` is known to Python only: it may be anything here
        #! c: R.Tensor
        d = R.reshape(x, (HEADS * 4,))
        #!                ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #! d: R.Tensor(({HEADS} * 4,))
        e = R.zeros((HEADS // 2, sizes.width), settings.kind)
        #!           ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #!                       ^^^^^^^^^^^ hint[RLX0202]: the value of `sizes.width` is known to Python only: it may be anything here
        #!                                     ^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.kind` is known to Python only: it may be anything here
        #! e: R.Tensor(({HEADS} // 2, {sizes.width}))
        f = R.permute_dims(x, axes=ORDER)
        #!                         ^^^^^ hint[RLX0202]: the value of `ORDER` is known to Python only: it may be anything here
        #! f: R.Tensor(ndim=2)
        g = R.strided_slice(x, axes=[settings.axis], begin=[HEADS], end=[HEADS * 2])
        #!                           ^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.axis` is known to Python only: it may be anything here
        #!                                                  ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #!                                                               ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #! g: R.Tensor(ndim=2)
        h = R.full((HEADS, 2), R.const(1.0, layouts.kind), dtype=layouts.kind)
        #!          ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #!                                  ^^^^^^^^^^^^ hint[RLX0202]: the value of `layouts.kind` is known to Python only: it may be anything here
        #!                                                       ^^^^^^^^^^^^ hint[RLX0202]: the value of `layouts.kind` is known to Python only: it may be anything here
        #! h: R.Tensor(({HEADS}, 2))
        i = R.call_dps_packed(settings.name, (x,), R.Tensor((HEADS, -1 + HEADS), KIND))
        #!                    ^^^^^^^^^^^^^ hint[RLX0202]: the value of `settings.name` is known to Python only: it may be anything here
        #!                                                   ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #!                                                               ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
        #!                                                                       ^^^^ hint[RLX0202]: the value of `KIND` is known to Python only: it may be anything here
        #! i: R.Object
        return h


@R.function
def what_is_left(x: R.Tensor((HEADS, 6), "float32")) -> R.Tensor((2, 3), "float32"):
#!                            ^^^^^ hint[RLX0202]: the value of `HEADS` is known to Python only: it may be anything here
    return R.reshape(x, (2, -sizes.ROWS))
    #!                       ^^^^^^^^^^ hint[RLX0202]: the value of `sizes.ROWS` is known to Python only: it may be anything here
    #! gv: R.Object


@R.function
def module_itself(x: R.Tensor((settings, 4), "float32")):
#!                             ^^^^^^^^ error[RLX0362]: `settings` is not a dimension: expected an integer or a symbolic integer
    return x
