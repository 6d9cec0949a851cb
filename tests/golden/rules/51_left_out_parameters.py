# TVM's parser reads the plain parameters; the others are left out, and their names are not defined in the body.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T

k = 2


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def fill(A: T.Buffer((4,), "float32"), *rest: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), **more):
    #!                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `rest` has a star: TVM leaves it out
    #!                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `B` stands behind `*`: TVM leaves it out
    #!                                                                                                     ^^^^^^ warning[RLX0456]: parameter `more` has two stars: TVM leaves it out
        for i in range(4):
            A[i] = T.float32(1)

    @T.prim_func(s_tir=True)
    def copy(A: T.Buffer((4,), "float32"), /, B: T.Buffer((4,), "float32"), *, n: T.int32 = count):
    #!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `A` stands before `/`: TVM leaves it out
    #!                                                                         ^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `n` stands behind `*`: TVM leaves it out
    #!                                                                                      ^^^^^ error[RLX0201]: `count` is not defined
        for i in range(4):
            B[i] = A[i]
            #!     ^ error[RLX0201]: `A` is not defined

    @R.function
    def plain(x: R.Tensor((4,), "float32"), *, y: R.Tensor(("n",), "float32"), z) -> R.Tensor((4,), "float32"):
    #!                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `y` stands behind `*`: TVM leaves it out
    #!                                                                         ^ warning[RLX0456]: parameter `z` stands behind `*`: TVM leaves it out
        return R.add(x, y)
        #!              ^ error[RLX0201]: `y` is not defined
        #!     fix: change to `x`

    @R.function
    def before(w, x: absent, /, y: R.Tensor((4,), "float32") = nothing) -> R.Tensor((4,), "float32"):
    #!         ^ warning[RLX0456]: parameter `w` stands before `/`: TVM leaves it out
    #!            ^^^^^^^^^ warning[RLX0456]: parameter `x` stands before `/`: TVM leaves it out
    #!               ^^^^^^ error[RLX0201]: `absent` is not defined
    #!                                                         ^^^^^^^ error[RLX0201]: `nothing` is not defined
        return y

    @R.function
    def star(x: R.Tensor((4,), "float32"), *k: R.Tensor((m,), "float32")) -> R.Tensor(("m",), "float32"):
    #!                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `k` has a star: TVM leaves it out
    #!                                                   ^ error[RLX0201]: `m` is not defined: a symbolic dimension of a signature is a string
    #!     fix: make it a string dimension
        # `k` is the number above
        return R.multiply(x, R.const(k, "float32"))

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = Module.before(x)
        b = Module.before(x, x)
        #!         ^^^^^^ error[RLX0426]: `before` takes 1 argument, 2 given
        #!     line 25: declared here
        c = R.call_tir(Module.fill, (), R.Tensor((4,), "float32"))
        d = R.call_tir(Module.fill, (x,), R.Tensor((4,), "float32"))
        #!                          ^^^^ error[RLX0439]: `fill` has 1 parameter, this call gives 2 (inputs: 1, outputs: 1)
        #!     line 11: the PrimFunc
        return (a, c)


@T.inline
def helper(A, *rest):
    A[0] = T.float32(0)


@T.prim_func(s_tir=True)
def uses(A: T.Buffer((4,), "float32")):
    helper(A, 1, 2)
