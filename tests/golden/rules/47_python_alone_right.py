# Scalars, views and rewriters whose dtype Python alone knows: nothing is wrong for one value of it.
from elsewhere.config import B
from elsewhere.config import DT
from elsewhere.config import VIEWED
from elsewhere.config import MATCHED
from elsewhere.config import F
from elsewhere.config import N
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class M:
    @R.function(pure=False)
    def scalars(c: R.Prim(B), s: R.Prim(DT), x: R.Tensor((4,), "float32")):
    #!                    ^ hint[RLX0202]: the value of `B` is known to Python only: it may be anything here
    #!                                  ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        n: R.Prim(DT) = T.int64()
        #!        ^^ hint[RLX0202]: the value of `DT` is known to Python only: it may be anything here
        R.assert_op(c, format="no")
        #! _: R.Tuple
        if c:
        #! y: R.Tensor((4,))
            y = R.multiply(x, s)
            #! y: R.Tensor((4,))
        else:
            y = R.add(x, s)
            #! y: R.Tensor((4,))
        return y

    @R.function
    def view(x: R.Tensor((4,), "float32")):
        return R.memory.view(x, dtype=VIEWED)
        #!                            ^^^^^^ hint[RLX0202]: the value of `VIEWED` is known to Python only: it may be anything here
        #! gv: R.Tensor((4,))

    @R.function
    def scale(q: R.Tensor((4, 16, 32, 16), "float32")):
        s = I.meta_var(T.FloatImm(F, 0.1))
        #!                        ^ hint[RLX0202]: the value of `F` is known to Python only: it may be anything here
        #! s: R.Object
        return R.nn.attention(q, q, q, scale=s)
        #! gv: R.Tensor((4, 16, 32, 16), dtype="float32")


@R.rewriter
class Rewrite:
    @R.function
    def pattern(a: R.Tensor((16,), MATCHED), b: R.Tensor((N,), "float32")):
    #!                             ^^^^^^^ hint[RLX0202]: the value of `MATCHED` is known to Python only: it may be anything here
    #!                                                    ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        return R.add(a, b)
        #! gv: R.Tensor(ndim=1)

    @R.function
    def replacement(a: R.Tensor((16,), "float32"), b: R.Tensor((16,), "float32")):
        return R.multiply(a, b)
        #! gv: R.Tensor((16,), dtype="float32")
