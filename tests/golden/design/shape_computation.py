# The examples of Relax's "Shape Computation Design" (2022), own text, typing slips mended, in that document's spellings.
# What each comment says is what the document says.
from tvm.script import relax as R


# G0: symbolic and static shapes are deduced together: (n, m, 2) to (n, m * 2) to (n * m * 2,).
@R.function
def dynamic_symbolic(x: R.Tensor[(n, m, 2), "f32"]):
    with R.dataflow():
        lv0: R.Tensor[(n, m * 2), "f32"] = R.reshape(x, (n, m * 2))
        #! lv0: R.Tensor((n, m * 2), dtype="float32")
        lv1: R.Tensor[(n * m * 2,), "f32"] = R.flatten(lv0)
        #! lv1: R.Tensor((n * m * 2,), dtype="float32")   (deduced R.Tensor((n * (m * 2),), dtype="float32"))
        gv0 = R.exp(lv1)
        #! gv0: R.Tensor((n * m * 2,), dtype="float32")
        R.outputs(gv0)
    return gv0


# V0 a known symbolic shape, V1 the value of an opaque shape function, V2 not known, then matched again.
@R.function
def three_states(x: R.Tensor[(n, 2, 2), "f32"]):
    with R.dataflow():
        lv0: R.Tensor[(n, 4), "f32"] = R.reshape(x, (n, 4))
        #! lv0: R.Tensor((n, 4), dtype="float32")
        lv1: R.Tensor[(n * 4,), "f32"] = R.flatten(lv0)
        #! lv1: R.Tensor((n * 4,), dtype="float32")
        lv2: R.Shape = (n * 4,)
        #!   ^^^^^^^ hint[RLX0366]: annotated as R.Shape(ndim=-1), deduced is R.Shape([n * 4])
        #!     fix: make annotation finer
        #! lv2: R.Shape([n * 4])
        lv3: R.Shape = R.call_packed("myshape_func", lv2)
        #! lv3: R.Shape(ndim=-1)   (deduced R.Object)
        lv4: R.Tensor[lv3, "f32"] = R.call_tir(lv3, "custom_func", [lv1])
        #! lv4: R.Tensor(lv3, dtype="float32")
        lv5: R.Tensor[_, "f32"] = R.unique(lv4)
        #!   ^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(dtype="float32"), deduced is R.Tensor(dtype="float32", ndim=1)
        #!     fix: make annotation finer
        #! lv5: R.Tensor(dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
        lv6: R.Tensor[(m,), "f32"] = R.match_shape(lv5, (m,))
        #! lv6: R.Tensor((m,), dtype="float32")   (deduced R.Tensor(dtype="float32"))
        gv0: R.Tensor[(m,), "f32"] = R.exp(lv6)
        #! gv0: R.Tensor((m,), dtype="float32")
        R.outputs(gv0)
    return gv0


# match_shape has two meanings: a Tensor on the left is returned with the pattern as its shape, a Shape is matched directly;
# variables that occur for the first time are bound.
@R.function
def refinement(x: R.Tensor[_, "f32"], s: R.Shape):
    y = R.match_shape(x, (a, b))
    #! y: R.Tensor((a, b), dtype="float32")   (deduced R.Tensor(dtype="float32"))
    t = R.match_shape(s, (c, a))
    #! t: R.Shape([c, a])   (deduced R.Shape(ndim=-1))
    z: R.Tensor[(a, b * 2), "f32"] = R.concat((y, y), axis=1)
    #! z: R.Tensor((a, b * 2), dtype="float32")
    return z


# D0: nothing is known of x, so nothing of what follows, until a match_shape brings it back.
@R.function
def without_shapes(x: R.Tensor[_, _]):
    with R.dataflow():
        lv0: R.Tensor[_, _] = R.log(x)
        #! lv0: R.Tensor
        lv1: R.Tensor[_, _] = R.flatten(lv0)
        #!   ^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor, deduced is R.Tensor(ndim=1)
        #!     fix: make annotation finer
        #! lv1: R.Tensor   (deduced R.Tensor(ndim=1))
        lv2: R.Tensor[(m,), "f32"] = R.match_shape(lv1, (m,))
        #! lv2: R.Tensor((m,), dtype="float32")   (deduced R.Tensor)
        gv0: R.Tensor[(m,), "f32"] = R.exp(lv2)
        #! gv0: R.Tensor((m,), dtype="float32")
        R.outputs(gv0)
    return gv0


# D1: (n, m) + (m) is (n, m); (n, 1, m) + (2, m) is (n, 2, m). The document falls back to an opaque "binary_broadcast" of the
# shapes when they can't be decided; here the page on StructInfo wins: the shape is not known then, its rank is.
@R.function
def broadcasting(x: R.Tensor[(n, m), "f32"], y: R.Tensor[(m,), "f32"], z: R.Tensor[(n, 1, m), "f32"],
                 w: R.Tensor[(2, m), "f32"], v: R.Tensor[_, "f32"]):
    a = R.add(x, y)
    #! a: R.Tensor((n, m), dtype="float32")
    b = R.add(z, w)
    #! b: R.Tensor((n, 2, m), dtype="float32")
    c = R.add(x, w)
    #! c: R.Tensor(dtype="float32", ndim=2)
    d = R.add(x, v)
    #! d: R.Tensor(dtype="float32")
    return (a, b, c, d)


# D3: the callee checks its inputs; what a caller passes binds the callee's symbols, so the result's shape is known.
@R.function
def double(x: R.Tensor[(n, m), "f32"]) -> R.Tensor[(n, m * 2), "f32"]:
    y = R.concat((x, x), axis=1)
    #! y: R.Tensor((n, m * 2), dtype="float32")
    return y


@R.function
def across_functions(x: R.Tensor[(k, 4), "f32"]):
    y = double(x)
    #! y: R.Tensor((k, 8), dtype="float32")
    return y


# A0, before: x is not known. An analysis could find that lv0, and so x, may be taken as (m, n); the program itself says nothing.
@R.function
def before(x: R.Tensor[_, _], y: R.Tensor[(m, n), "f32"]):
    with R.dataflow():
        lv0: R.Tensor[_, _] = R.log(x)
        #! lv0: R.Tensor
        gv0: R.Tensor[(m, n), "f32"] = R.ewise_add(lv0, y)
        #!   ^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((m, n), dtype="float32"), but the value is only known to be R.Tensor: the dtype is not known, expected float32
        #!     fix: check it with `R.match_cast`
        #! gv0: R.Tensor((m, n), dtype="float32")   (deduced R.Tensor)
        R.outputs(gv0)
    return gv0


# A0, after.
@R.function
def after(x: R.Tensor[(m, n), "f32"], y: R.Tensor[(m, n), "f32"]):
    with R.dataflow():
        lv0: R.Tensor[(m, n), "f32"] = R.log(x)
        #! lv0: R.Tensor((m, n), dtype="float32")
        gv0: R.Tensor[(m, n), "f32"] = R.ewise_add(lv0, y)
        #! gv0: R.Tensor((m, n), dtype="float32")
        R.outputs(gv0)
    return gv0
