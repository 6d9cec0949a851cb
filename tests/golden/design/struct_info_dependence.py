# StructInfo depends on values ("First-class StructInfo"): y: R.Tensor[s] uses s, although no argument of its call does. Moving y up or
# deleting s is wrong, and is told where s is used. Own text, in the document's spellings.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def func0(x: R.Tensor) -> R.Tensor:
        return x

    @R.function
    def shape_func(x: R.Tensor) -> R.Shape:
        s = R.shape_of(x)
        #! s: R.Shape(ndim=-1)
        return s

    @R.function
    def opaque_fn(x: R.Tensor) -> R.Tensor:
        return x

    # y depends on z through s.
    @R.function
    def example(x: R.Tensor):
        z = func0(x)
        #! z: R.Tensor
        s = shape_func(z)
        #! s: R.Shape(ndim=-1)
        y: R.Tensor[s] = opaque_fn(x)
        #! ^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor(s), but the value is only known to be R.Tensor: the shape is not known to be that variable's value
        #!     fix: check it with `R.match_cast`
        #! y: R.Tensor(s)   (deduced R.Tensor)
        return y

    # Naively reordered: s is not defined yet.
    @R.function
    def example_wrong_after_reorder(x: R.Tensor):
        y: R.Tensor[s] = opaque_fn(x)
        #!          ^ error[RLX0201]: `s` is not defined
        #!     line 34: it is bound here, below its use
        #! y: R.Tensor
        z = func0(x)
        #! z: R.Tensor
        s = shape_func(z)
        #! s: R.Shape(ndim=-1)
        return y

    # Naively deleted: nothing defines s.
    @R.function
    def example_wrong_after_deadcode(x: R.Tensor):
        y: R.Tensor[s] = opaque_fn(x)
        #!          ^ error[RLX0201]: `s` is not defined
        #! y: R.Tensor
        return y

    # StructInfo is assumed: s0 and s1 come from the same computation, and nobody has to prove that they are equal.
    @R.function
    def example_assume(x: R.Tensor):
        z = func0(x)
        #! z: R.Tensor
        s0 = shape_func(z)
        #! s0: R.Shape(ndim=-1)
        y: R.Tensor[s0] = opaque_fn(x)
        #! ^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor(s0), but the value is only known to be R.Tensor: the shape is not known to be that variable's value
        #!     fix: check it with `R.match_cast`
        #! y: R.Tensor(s0)   (deduced R.Tensor)
        s1 = shape_func(z)
        #! s1: R.Shape(ndim=-1)
        w: R.Tensor[s1] = y
        #! ^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor(s1), but the value is only known to be R.Tensor(s0): the shape is not known to be that variable's value
        #!     fix: check it with `R.match_cast`
        #! w: R.Tensor(s0)
        return w
