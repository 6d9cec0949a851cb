# rlx-golden: check
# Rule 2: variables are defined before use, exactly once; variables of a branch are not visible outside it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def before_use(x: R.Tensor((2,), "float32")):
    y = R.add(x, z)
    #!           ^ error[RLX0201]: `z` is not defined
    #!     line 9: it is bound here, below its use
    z = R.abs(x)
    return y


@R.function
def of_itself(x: R.Tensor((2,), "float32")):
    y = R.add(x, y)
    #!           ^ error[RLX0201]: `y` is not defined
    #!     fix: change to `x`
    return y


@R.function
def misspelled(tensor: R.Tensor((2,), "float32")):
    y = R.abs(tensr)
    #!        ^^^^^ error[RLX0201]: `tensr` is not defined; did you mean `tensor`?
    #!     fix: change to `tensor`
    return y


@R.function
def of_a_branch(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        a = R.abs(x)
        y = R.exp(a)
    else:
        y = R.log(x)
    z = R.add(a, y)
    #!        ^ error[RLX0201]: `a` is not defined
    #!     line 28: it is bound here, in a branch that ends before its use
    return z


@R.function
def of_the_other_branch(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        a = R.abs(x)
        y = R.exp(a)
    else:
        y = R.log(a)
        #!        ^ error[RLX0201]: `a` is not defined
        #!     line 39: it is bound here, in a branch that ends before its use
    return y


@R.function
def of_a_local_function(x: R.Tensor((2,), "float32")):
    @R.function
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = R.abs(a)
        return b

    y = inner(b)
    #!        ^ error[RLX0201]: `b` is not defined
    #!     fix: change to `x`
    return y


@R.function
def parameter_twice(x: R.Tensor((2,), "float32"), x: R.Tensor((2,), "float32")):
#!                                                ^ error[RLX0101]: two parameters have this name
    return x


@R.function
def deleted_twice(x: R.Tensor((2,), "float32")):
    return not_there
    #!     ^^^^^^^^^ error[RLX0201]: `not_there` is not defined
    #!     fix: change to `x`


@R.function
def again(x: R.Tensor((2,), "float32")):
    y = R.abs(x)
    y = R.exp(y)
    x = R.add(x, y)
    return x


@R.function
def right(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    a = R.abs(x)
    if c:
        b = R.exp(a)
        y = R.add(a, b)
    else:
        y = R.log(a)
    z = R.add(a, y)
    return z
