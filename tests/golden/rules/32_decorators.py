# What may stand above a function of a module.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Wrong:
    @R.functoin
    #! ^^^^^^^^ error[RLX0454]: `functoin` of R decorates no function; did you mean `@R.function`?
    #!     fix: change to `R.function`
    def misspelt(x: R.Tensor((2,), "float32")):
        return x

    @T.prim_func(private=1 > 0)
    #!                   ^^^^^ error[RLX0454]: `private` is True or False
    def no_flag(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1)

    @R.function("pure")
    #!          ^^^^^^ error[RLX0454]: the decorator of a function takes keywords only
    def no_keyword(x: R.Tensor((2,), "float32")):
        return x

    def bare(x: R.Tensor((2,), "float32")):
    #!  ^^^^ error[RLX0454]: a function of a module has a decorator: `@R.function` or `@T.prim_func`
    #!     fix: decorate it with `@R.function`
        return x

    @R
#!   ^ error[RLX0454]: a namespace decorates no function
    def namespace(x: R.Tensor((2,), "float32")):
        return x

    @T.grid
    #! ^^^^ error[RLX0454]: `grid` of T decorates no function
    def no_decorator(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1)


@I.ir_module
class Right:
    @T.prim_func(private=True)
    def flag(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1)

    @R.function(pure=False)
    def keyword(x: R.Tensor((2,), "float32")):
        return x

    @R.function
    def word(x: R.Tensor((2,), "float32")):
        @R.function
        def inner(y: R.Tensor((2,), "float32")):
        #! inner: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
            return y

        return inner(x)
        #! gv: R.Tensor((2,), dtype="float32")
