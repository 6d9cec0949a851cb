# R.output and R.func_attr act wherever Python runs the call, and give None; R.dataflow() gives a frame.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def in_a_condition(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        #! y: R.Tensor((2,), dtype="float32")
        (R.output(y) if True else 0)
    return y


@R.function
def computed(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        #! y: R.Tensor((2,), dtype="float32")
        z = R.exp(x)
        #! z: R.Tensor((2,), dtype="float32")
        R.output([y][0], z if True else y)
    return (y, z)


@R.function
def twice(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        #! y: R.Tensor((2,), dtype="float32")
        T.max(R.output(y), R.output(y))
        #!                 ^^^^^^^^^^^ error[RLX0214]: a dataflow block has one `R.output`, which lists all its outputs
    return y


@R.function
def bound_behind(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        #! y: R.Tensor((2,), dtype="float32")
        z, w = R.output(y), x
#!      ^^^^^^^^^^^^^^^^^^^^^ error[RLX0214]: `R.output` must be the last statement of its dataflow block
        #! w: R.Tensor((2,), dtype="float32")
    return y


@R.function
def none_of_it(x: R.Tensor((2,), "float32")):
    R.func_attr({"a": 1})[0]
#!  ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0358]: only tuples can be indexed, found `R.func_attr(…)`
    R.func_attr({"b": 1}).items
    #!                    ^^^^^ error[RLX0203]: `R.func_attr({"b": 1}).items` does not exist
    return x


@R.function
def frame(x: R.Tensor((2,), "float32")) -> R.dataflow().Shape:
#!                                                      ^^^^^ error[RLX0203]: `R.dataflow().Shape` does not exist
    return x


@R.function
def flags(x: R.Tensor((2,), "float32")):
    R.func_attr({"relax.force_pure": None})
    #!                               ^^^^ error[RLX0446]: R.func_attr: `relax.force_pure` is `None`, expected True or False
    return x


@R.function
def pure_below(x: R.Tensor((2,), "float32")):
    y = R.call_packed("f", x, sinfo_args=(R.Tensor((2,), "float32"),))
    #! y: R.Tensor((2,), dtype="float32")
    R.func_attr({"relax.force_pure": True})
    return y


@R.function
def impure_below(x: R.Tensor((2,), "float32")):
    y = R.call_packed("f", x, sinfo_args=(R.Tensor((2,), "float32"),))
    #!    ^^^^^^^^^^^ error[RLX0432]: `R.call_packed` is impure (a packed function may do anything), and the function is declared pure
    #!     line 64: declared pure here
    #!     fix: declare the function impure
    #! y: R.Tensor((2,), dtype="float32")
    R.func_attr({"relax.force_pure": False})
    return y
