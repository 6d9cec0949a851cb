# rlx-golden: check
# rlx-golden: unused
# Rule 3: bindings that nothing reads. What StructInfo mentions, impure calls, match_casts and what a branch gives are used.
from tvm.script import relax as R, tirx as T


@R.function
def plain(x: R.Tensor((2, "n"), "float32")):
    y = R.abs(x)
#!  ^ hint[RLX0217]: nothing uses `y`
    #!     fix: remove unused binding `y`
    z = R.exp(x)
    _scratch = R.exp(x)
    return z


@R.function
def in_dataflow(x: R.Tensor((2, "n"), "float32")):
    with R.dataflow():
        a = R.exp(x)
#!      ^ hint[RLX0217]: nothing uses `a`
        #!     fix: remove unused binding `a`
        b = R.abs(x)
        R.output(b)
    return b


@R.function
def only_binding(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        a = R.exp(x)
        R.output()
#!      ^^^^^^^^^^ warning[RLX0216]: this dataflow block has no outputs: nothing that it computes can be used
    return x


@R.function
def through_struct_info(x: R.Tensor(ndim=1, dtype="float32")):
    s = R.shape_of(x)
    y: R.Tensor(s, "float32") = R.call_pure_packed("f", x, sinfo_args=R.Tensor(ndim=1, dtype="float32"))
    #! ^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor(s, dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=1): the shape is not known to be that variable's value
    #!     fix: check it with `R.match_cast`
    return y


@R.function
def cast(x: R.Tensor(ndim=1, dtype="float32")):
    m = T.int64()
    y = R.match_cast(x, R.Tensor((m,), "float32"))
    z = R.zeros((m,), "float32")
    return z


@R.function(pure=False)
def impure(x: R.Tensor((2,), "float32")):
    y = R.print(x, format="{}")
    z = R.call_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    return x


@R.function
def branches(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
    if c:
        a = R.abs(x)
#!      ^ hint[RLX0217]: nothing uses `a`
        #!     fix: remove unused binding `a`
        w = R.exp(x)
    else:
        w = R.abs(x)
    return w


@R.function
def local(x: R.Tensor((2,), "float32")):
    y = R.abs(x)

    @R.function
    def inner(z: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.exp(z)
#!      ^ hint[RLX0217]: nothing uses `a`
        #!     fix: remove unused binding `a`
        b = R.add(y, z)
        return b

    w = inner(x)
    return w


@R.function
def unsure(x: R.Tensor((2,), "float32")):
    y = R.abs(x)
    z = R.exp(yy)
    #!        ^^ error[RLX0201]: `yy` is not defined; did you mean `y`?
    #!     fix: change to `y`
    return z
