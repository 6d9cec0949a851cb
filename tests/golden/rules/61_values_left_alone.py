# rlx-golden: check
# What binds nothing: strings and lists of Python; what stands behind R.output, in a branch, beside a star; fields of R.tuple.
from tvm import relax
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def behind_output(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
        name = "k"
        some = [x, y]
        n = T.int64(4)
    return y


@R.function
def binding_behind_output(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
#!      ^^^^^^^^^^^ error[RLX0214]: `R.output` must be the last statement of its dataflow block
        #!     line 23: this binding stands after it
        z = (x, y)
    return y


@R.function
def empty_branch(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
#!  ^^^^^ error[RLX0436]: the first branch of this `if` binds nothing: both branches must end with a binding of the same name
        y = [x, x]
    else:
        y = R.exp(x)
    return x


@R.function
def stars(x: R.Tensor((4,), "float32")):
    a = R.sum(x, *0)
    #!           ^^ error[RLX0421]: `*` can't be applied to the Python int 0
    b = R.sum(x, *None)
    #!           ^^^^^ error[RLX0421]: `*` can't be applied to `None`
    c = R.concat(*((x, x), 0))
    d = *(x, x)
    #!  ^^^^^^^ error[RLX0101]: a star stands in a list, a tuple or a call
    return c


@R.function
def fields(x: R.Tensor((4,), "float32"), s: R.Shape(["n"])):
    n = T.int64()
    a = R.tuple(x, s)
    b = R.tuple((x, x))
    #!          ^^^^^^ error[RLX0446]: R.tuple: `fields` is a tuple, expected a Relax expression
    c = R.tuple(x, [s])
    #!             ^^^ error[RLX0446]: R.tuple: `fields` is a list, expected a Relax expression
    d = R.tuple(x, n)
    #!             ^ error[RLX0446]: R.tuple: `fields` is the symbolic integer `n`, expected a Relax expression
    return a


@R.function
def parts(x: R.Tuple(R.Tensor, R.Tuple()), y: R.Callable((R.Object,), None), z: R.Tuple(R.Tensor, None)):
#!                                                       ^^^^^^^^^^^ error[RLX0423]: R.Callable: argument `ret` is missing
#!                                                                                                ^^^^ error[RLX0352]: `None` is not a StructInfo annotation
    a: R.Callable((R.Object,), R.Object, T.bool(True)) = y
    #!                                   ^^^^^^^^^^^^ error[RLX0446]: R.Callable: `purity` is the symbolic integer `True`, expected True or False
    return x


@R.function
def local_async(x: R.Tensor((4,), "float32")):
    @R.function
    async def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    #!        ^^^^^ error[RLX0429]: `async def` can't be used in a Relax function
        return y

    z = inner(x)
    return z


@I.ir_module
class Attributes:
    R.func_attr({"k": 1})
#!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: R.func_attr stands in a function; the module's attributes are I.module_attrs

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x


@I.ir_module
class Words:
    global shared
#!  ^^^^^^^^^^^^^ error[RLX0455]: TVM's parser takes no such statement in a module's class
    twice = lambda a: a
#!  ^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x


@R.function
def class_of_tuples(x: R.Tensor((4,), "float32")):
    a = relax.Tuple([x, x])
    b = relax.Tuple((x,))
    return a
