# R.dataflow under a name opens a block; what R.output gives is no value.
from tvm.script import relax as R, tirx as T


@R.function
def called(x: R.Tensor((2, 3), "float32")):
    d = R.dataflow
    with d():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        R.output(y)
    return y


@R.function
def made(x: R.Tensor((2, 3), "float32")):
    d = R.dataflow()
    with d:
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        R.output(y)
    return y


@R.function
def returned(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.output(y)
        #!           ^ warning[RLX0215]: output `y` of the dataflow block is not used after it
    return z
    #!     ^ error[RLX0442]: `None` is not a Relax value


@R.function
def unread(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.output(y)
    return y


@R.function
def python_values(x: R.Tensor((2, 3), "float32")):
    add, shape = R.add, R.Tensor((2, 3), "float32")
    fields = {"a": x}
    none = None
    y: shape = add(fields["a"], x)
    #! y: R.Tensor((2, 3), dtype="float32")
    z = R.match_cast(R.permute_dims(y, none), R.Tensor((3, 2), "float32"))
    #!               ^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((3, 2), dtype="float32")
    #! z: R.Tensor((3, 2), dtype="float32")
    return z


@R.function
def no_operands(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        op = R.add
        wrong = R.Tensor((2, 4), "float32")
        y = op(x)
        #!  ^^ error[RLX0423]: R.add: argument `x2` is missing
        #! y: R.Object
        z = R.match_cast(x, wrong)
        #!                  ^^^^^ error[RLX0361]: this match_cast can never succeed: R.Tensor((2, 3), dtype="float32") against R.Tensor((2, 4), dtype="float32"): dimension 1 is 3, expected 4
        #!     fix: cast to what the value is
        #! z: R.Tensor((2, 4), dtype="float32")   (deduced R.Tensor((2, 3), dtype="float32"))
        w = R.add(x, op)
        #!           ^^ error[RLX0301]: R.add expects a tensor as `x2`, found an operator that is not called
        #! w: R.Tensor
        R.output(y, z, w)
    v = op(y, z)
    #! v: R.Object
    return op


@R.function
def behind_a_lambda(x: R.Tensor((2, 3), "float32")):
    double = lambda a: R.add(a, a)
    y = double(x)
    #! y: R.Object
    return y


@R.function
def names_of_dtypes(x: R.Tensor((2, 3), "float32")):
    half = T.float16
    y = R.astype(x, half)
    #!              ^^^^ error[RLX0446]: R.astype: `dtype` is `T.float16`, expected a dtype's name
    #!     fix: write the dtype's name
    #! y: R.Tensor((2, 3), dtype="float16")
    z = R.zeros((2, 3), dtype=T.float32)
    #!                        ^^^^^^^^^ error[RLX0446]: R.zeros: `dtype` is `T.float32`, expected a dtype's name
    #!     fix: write the dtype's name
    #! z: R.Tensor((2, 3), dtype="float32")
    return z
