# 0.27: a string is a value of a kind of its own, which no match_cast makes anything else; a branch with a warning in it is no lost one.
from tvm.script import relax as R


@R.function
def cast(x: R.Tensor((3,), "float32"), a: R.Any):
    y = R.match_cast(R.str("a"), R.Shape(ndim=1))
    #!               ^^^^^^^^^^ error[RLX0446]: R.match_cast: `value` is a string, expected a value that may be what it is cast to
    #! y: R.Object
    z = R.match_cast(x.name, R.Any)
    #! z: R.Object
    return x


@R.function(pure=False)
def half(x: R.Tensor((3,), "float32"), a: R.Any):
    if 2 > 1:
#!  ^^^^^^^^^ error[RLX0436]: this `if` has no `else`: both branches must end with a binding of the same name
        y: R.Tensor((3,), "float32") = R.call_packed("f", x, ty_args=(R.Tensor((3,)),))
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((3,), dtype="float32"), but the value is only known to be R.Tensor((3,)): the dtype is not known, expected float32
        #!     fix: check it with `R.match_cast`
    return y
