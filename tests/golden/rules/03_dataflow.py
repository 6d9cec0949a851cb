# rlx-golden: check
# Rule 3: dataflow variables live in their block; `R.output` names variables of that block; a block without outputs or an
# output that nobody uses is a warning.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def leaks(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(gv)
    y = R.add(lv, gv)
    #!        ^^ error[RLX0207]: `lv` is local to its dataflow block: add it to `R.output` there
    #!     line 10: bound in this block
    #!     fix: add `lv` to the outputs of its block
    return y


@R.function
def of_another_block(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(gv)
    with R.dataflow():
        gv1 = R.add(lv, gv)
        #!          ^^ error[RLX0207]: `lv` is local to its dataflow block: add it to `R.output` there
        #!     line 20: bound in this block
        #!     fix: add `lv` to the outputs of its block
        R.output(gv1)
    return gv1


@R.function
def outputs_a_parameter(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        R.output(x)
        #!       ^ error[RLX0206]: `x` is not a variable of this dataflow block
        #!     line 30: a parameter
    return x


@R.function
def outputs_nothing_known(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        R.output(gw)
        #!       ^^ error[RLX0201]: `gw` is not defined; did you mean `gv`?
        #!     fix: change to `gv`
    return gv


@R.function
def outputs_from_outside(x: R.Tensor((2,), "float32")):
    y = R.abs(x)
    with R.dataflow():
        gv = R.exp(y)
        R.output(gv, y)
        #!           ^ error[RLX0206]: `y` is not a variable of this dataflow block
        #!     line 47: bound here, outside of the block
        #!     fix: remove it from the outputs
    z = R.add(y, gv)
    return z


@R.function
def outputs_an_expression(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        R.output(R.exp(gv))
        #!       ^^^^^^^^^ error[RLX0206]: this expression is not a variable of this dataflow block
    return gv


@R.function
def no_output(x: R.Tensor((2,), "float32")):
    with R.dataflow():
#!  ^^^^^^^^^^^^^^^^^^ warning[RLX0216]: this dataflow block has no outputs: nothing that it computes can be used
        lv = R.abs(x)
    return x


@R.function
def empty_output(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        R.output()
#!      ^^^^^^^^^^ warning[RLX0216]: this dataflow block has no outputs: nothing that it computes can be used
    return x


@R.function
def no_output_but_used(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
    return gv
    #!     ^^ error[RLX0207]: `gv` is local to its dataflow block: add it to `R.output` there
    #!     line 82: bound in this block
    #!     fix: make it the output of its block


@R.function
def output_unused(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(lv, gv)
        #!       ^^ warning[RLX0215]: output `lv` of the dataflow block is not used after it
        #!     fix: keep it inside the block
    return gv


@R.function
def output_not_last(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        R.output(lv)
#!      ^^^^^^^^^^^^ error[RLX0214]: `R.output` must be the last statement of its dataflow block
        #!     line 100: this binding stands after it
        gv = R.exp(lv)
    return lv


@R.function
def output_twice(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(lv)
        R.output(gv)
#!      ^^^^^^^^^^^^ error[RLX0214]: a dataflow block has one `R.output`, which lists all its outputs
        #!     line 109: the first one
    y = R.add(lv, gv)
    return y


@R.function
def output_outside(x: R.Tensor((2,), "float32")):
    lv = R.abs(x)
    R.output(lv)
#!  ^^^^^^^^^^^^ error[RLX0214]: `R.output` stands outside of any dataflow block
    #!     fix: remove it
    return lv


@R.function
def right(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(gv)
    with R.dataflow():
        lv1 = R.abs(gv)
        gv1 = R.exp(lv1)
        gv2 = R.log(lv1)
        R.output(gv1, gv2)
    return (gv1, gv2)


@R.function
def used_in_an_annotation(x: R.Tensor(ndim=1, dtype="float32")):
    with R.dataflow():
        s = R.shape_of(x)
        R.output(s)
    y: R.Tensor(s, "float32") = R.zeros(s, "float32")
    return y


@R.function
def misspelled(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        gv = R.abs(x)
        R.outputz(gv)
#!        ^^^^^^^ error[RLX0203]: `R.outputz` does not exist; did you mean `R.output`?
        #!     fix: change to `R.output`
    return gv


@R.function
def outputs_by_keyword(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        lv = R.abs(x)
        gv = R.exp(lv)
        R.output(lv, out=gv)
        #!           ^^^^^^ error[RLX0424]: R.output has no parameter `out`
    return R.add(lv, gv)


# What a block in a branch keeps, and the branch uses.
@R.function
def in_a_branch(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        with R.dataflow():
            kept = R.exp(x)
            left = R.abs(kept)
            R.output(left)
        y = R.add(left, kept)
        #!              ^^^^ error[RLX0207]: `kept` is local to its dataflow block: add it to `R.output` there
        #!     line 167: bound in this block
        #!     fix: add `kept` to the outputs of its block
    else:
        y = R.negative(x)
    return y
