# Functions of other modules and outside of modules, as TVM's parser finds them when it reads a function.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Other:
    @R.function
    def g(x: R.Tensor((4,), "float32")):
        return x


@T.prim_func
def copy(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    for i in range(4):
        b[i] = a[i]


@R.function
def above(x: R.Tensor((4,), "float32")):
    return x


@R.function
def uses(x: R.Tensor((4,), "float32")):
    a = above(x)
    #! a: R.Tensor((4,), dtype="float32")
    b = (x, above)
    #! b: R.Tuple(R.Tensor((4,), dtype="float32"), R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True))
    c = Other["g"](x)
    #! c: R.Object
    d = Other.g(x)
    #!        ^ error[RLX0205]: module `Other` has no function `g`: another module's function is `Other["g"]`
    #! d: R.Object
    e = R.call_tir(copy, (x,), R.Tensor((4,), "float32"))
    #!             ^^^^ error[RLX0452]: the PrimFunc `copy`, which belongs to no module, stands where a value is expected: it can only be called
    #! e: R.Tensor((4,), dtype="float32")
    return x


@R.function
def itself(x: R.Tensor((4,), "float32")):
    y = itself(x)
    #!  ^^^^^^ error[RLX0201]: `itself` is not defined yet: TVM reads this function before; functions of one module know each other
    #! y: R.Object
    return y


@R.function
def later(x: R.Tensor((4,), "float32")):
    y = below(x)
    #!  ^^^^^ error[RLX0201]: `below` is not defined yet: TVM reads this function before; functions of one module know each other
    #! y: R.Object
    return y


@R.function
def below(x: R.Tensor((4,), "float32")):
    return x


@R.function
def below(x: R.Tensor((4,), "float32")):
    y = below(x)
    #! y: R.Object
    return y


class Undecorated:
    @R.function
    def g(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def f(x: R.Tensor((4,), "float32")):
        y = Undecorated.g(x)
        #!  ^^^^^^^^^^^ error[RLX0201]: `Undecorated` is not defined yet: without `@I.ir_module` the functions of a class are read one by one
        #! y: R.Object
        return y


@I.ir_module
class Attributes:
    I.module_attrs()
#!  ^^^^^^^^^^^^^^^^ error[RLX0455]: attributes and global infos of a module are given as one dict

    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
