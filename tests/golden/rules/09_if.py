# rlx-golden: check
# Rule 9: the condition of an `if` is a scalar bool tensor or a bool value; both branches bind the same variable, and the last
# statement of each defines it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def not_scalar(c: R.Tensor((1,), "bool"), x: R.Tensor((2,), "float32")):
    if c:
    #! ^ warning[RLX0434]: the condition is R.Tensor((1,), dtype="bool"), expected a scalar bool tensor or `R.Prim("bool")`
        y = R.abs(x)
    else:
        y = R.exp(x)
    return y


@R.function
def not_bool(c: R.Tensor((), "int32"), x: R.Tensor((2,), "float32")):
    if c:
    #! ^ error[RLX0434]: the condition is R.Tensor((), dtype="int32"), expected a scalar bool tensor or `R.Prim("bool")`
    #!     fix: cast it to bool
        y = R.abs(x)
    else:
        y = R.exp(x)
    return y


@R.function
def not_a_tensor(c: R.Shape([2]), x: R.Tensor((2,), "float32")):
    if c:
    #! ^ error[RLX0434]: the condition is R.Shape([2]), expected a scalar bool tensor or `R.Prim("bool")`
        y = R.abs(x)
    else:
        y = R.exp(x)
    return y


@R.function
def integer(c: R.Prim("int64"), x: R.Tensor((2,), "float32")):
    if c:
    #! ^ error[RLX0434]: the condition is R.Prim("int64"), expected a scalar bool tensor or `R.Prim("bool")`
        y = R.abs(x)
    else:
        y = R.exp(x)
    return y


@R.function
def other_names(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
    else:
        z = R.exp(x)
#!      ^ error[RLX0435]: the last binding of both branches must have the same name, found `y` and `z`
        #!     line 46: the last binding of the first branch
        #!     fix: call it `y`
    return y


@R.function
def last_differs(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
        z = R.exp(y)
    else:
        z = R.log(x)
        y = R.exp(z)
#!      ^ error[RLX0435]: the last binding of both branches must have the same name, found `z` and `y`
        #!     line 56: the last binding of the first branch
        #!     fix: call it `z`
    return y


@R.function
def no_else(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
#!  ^^^^^ error[RLX0436]: this `if` has no `else`: both branches must end with a binding of the same name
        y = R.abs(x)
    return x


@R.function
def empty_branch(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
#!  ^^^^^ error[RLX0436]: the `else` branch of this `if` binds nothing: both branches must end with a binding of the same name
        y = R.abs(x)
    else:
        pass
    return y


@R.function
def ends_with_a_call(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
    else:
        y = R.exp(x)
        R.abs(y)
#!      ^^^^^^^^ error[RLX0441]: the value, R.Tensor((2,), dtype="float32"), must be bound to a variable
        #!     fix: bind it to `_`
    return y


@R.function
def returns(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        return x
#!      ^^^^^^^^ error[RLX0431]: a function has one `return`, at its end
    else:
        y = R.exp(x)
    return y


@R.function
def elif_chain(c: R.Tensor((), "bool"), d: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
    elif d:
        y = R.exp(x)
    else:
        z = R.log(x)
#!      ^ error[RLX0435]: the last binding of both branches must have the same name, found `y` and `z`
        #!     line 103: the last binding of the first branch
        #!     fix: call it `y`
    return y


@R.function
def right(c: R.Tensor((), "bool"), p: R.Prim("bool"), o: R.Object, x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
    else:
        a = R.exp(x)
        y = R.log(a)
    if p:
        z = R.abs(y)
    elif c:
        z = R.exp(y)
    else:
        z = R.log(y)
    return z


# What a branch ends with leaves it: no variable that is local to a dataflow block, and no other name of one.
@R.function
def ends_inside(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        with R.dataflow():
            a = R.abs(x)
            y = R.exp(a)
#!          ^ error[RLX0207]: `y` is local to its dataflow block: add it to `R.output` there
            R.output(a)
    else:
        with R.dataflow():
            b = R.exp(x)
            y = b
            #!  ^ error[RLX0207]: `b` is local to its dataflow block: add it to `R.output` there
            R.output(y)
    return x


@R.function
def ends_with_output(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        with R.dataflow():
            a = R.abs(x)
            y = R.exp(a)
            R.output(a, y)
    else:
        with R.dataflow():
            b = R.exp(x)
            y = b
            R.output(b, y)
    return y


@R.function
def returns_behind(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.abs(x)
    else:
        y = R.exp(x)
        return y
#!      ^^^^^^^^ error[RLX0431]: a function has one `return`, at its end
    return y
