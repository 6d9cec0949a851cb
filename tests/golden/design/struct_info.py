# The examples of "First-class StructInfo" (tlc-pack/relax, 2022), own text, typing slips mended, in that document's spellings.
# What each comment says is what the document says.
from tvm import tir
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    # O0: t has the StructInfo of both parts, so z keeps the shape of X; without StructInfo a tuple could not say it.
    @R.func
    def composed(X: R.Tensor((n, m)), Y: R.Object):
        t: R.Tuple(R.Tensor, R.Object) = (X, Y)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tuple(R.Tensor, R.Object), deduced is R.Tuple(R.Tensor((n, m)), R.Object)
        #!     fix: make annotation finer
        #! t: R.Tuple(R.Tensor((n, m)), R.Object)
        z: R.Tensor = t[0]
        #! ^^^^^^^^ hint[RLX0366]: annotated as R.Tensor, deduced is R.Tensor((n, m))
        #!     fix: make annotation finer
        #! z: R.Tensor((n, m))
        return z

    # A signature's StructInfo is a match_cast of the arguments.
    @R.function
    def subfunc(x: R.Tensor((n,)), y: R.Object) -> R.Tuple[R.Tensor((n,)), R.Object]:
        return (x, y)

    # match_cast defines x1 and n; a variable propagates the function's StructInfo; the call's result goes through the tuple.
    def example_tuple(x: R.Tensor(ndim=1), y: R.Object):
        x1: R.Tensor((n,)) = R.match_cast(x, R.Tensor((n,)))
        #! x1: R.Tensor((n,))   (deduced R.Tensor(ndim=1))
        f: R.Func(args=[R.Tensor((n,)), R.Object], ret=R.Tuple[R.Tensor((n,)), R.Object]) = subfunc
        #! f: R.Callable((R.Tensor((n,)), R.Object), R.Tuple(R.Tensor((n,)), R.Object), True)
        t: R.Tuple[R.Tensor((n,)), R.Object] = f(x1, y)
        #! t: R.Tuple(R.Tensor((n,)), R.Object)
        z: R.Tensor[(n,)] = t[0]
        #! z: R.Tensor((n,))
        return z

    # An extension: sparse matrices that share indptr and indices; z = x + y depends on that.
    def example_sparse(indptr: R.Tensor[(m,), "i64"], indices: R.Tensor[(nnz,), "i64"],
                       data0: R.Tensor[(nnz,)], data1: R.Tensor[(nnz,)]):
        y: R.SparseCSR(indptr, indices) = make_csr(indptr, indices, data0)
        #! y: R.SparseCSR(indptr, indices)
        x: R.SparseCSR(indptr, indices) = make_csr(indptr, indices, data1)
        #! x: R.SparseCSR(indptr, indices)
        z: R.SparseCSR(indptr, indices) = x + y
        #! z: R.SparseCSR(indptr, indices)
        return z

    # k is not defined by the parameters: erase_to_well_defined makes the result R.Tensor(ndim=2) at the signature's level.
    def erased(x: R.Tensor[(n, m)]):
        k = tir.Var("k", "int64")
        v0 = R.call_packed("opaque_fn", x)
        #! v0: R.Object
        v1 = R.match_cast(v0, R.Tensor[(n, k)])
        #! v1: R.Tensor((n, k))   (deduced R.Object)
        v2: R.Tensor[(n + 1, k + 2)] = R.nn.pad(v1, (0, 1, 0, 2))
        #! v2: R.Tensor((n + 1, k + 2))
        return v2

    # n and m can be picked up from the parameters: the result stays R.Tensor[(n, m + 2)].
    def kept(x: R.Tensor[(n, m)]):
        v2: R.Tensor[(n, m + 2)] = R.nn.pad(x, (0, 0, 0, 2))
        #! v2: R.Tensor((n, m + 2))
        return v2

    def caller(x: R.Tensor[(3, 4)]):
        y = erased(x)
        #! y: R.Tensor(ndim=2)
        z = kept(x)
        #! z: R.Tensor((3, 6))
        return (y, z)

    # If: unify_to_lca of both branches, each erased to the parent's scope.
    @R.function
    def branches(c: R.Tensor[(), "bool"], x: R.Tensor[(n, m)], y: R.Tensor[(n, 4)]):
        if c:
        #! z: R.Tensor(ndim=2)
            z = R.exp(x)
            #! z: R.Tensor((n, m))
        else:
            z = R.exp(y)
            #! z: R.Tensor((n, 4))
        return z

    # Annotation policy: a match is silent; what can't be decided is a warning and the annotation is assumed; what can't be is an
    # error.
    @R.function
    def policy(x: R.Tensor[(n, m), "f32"], w: R.Tensor[_, "f32"]):
        a: R.Tensor[(n, m), "f32"] = R.exp(x)
        #! a: R.Tensor((n, m), dtype="float32")
        b = R.exp(w)
        #! b: R.Tensor(dtype="float32")
        c: R.Tensor[(n, m), "f32"] = R.exp(b)
        #! ^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((n, m), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32"): the number of dimensions is not known, expected 2
        #!     fix: check it with `R.match_cast`
        #! c: R.Tensor((n, m), dtype="float32")   (deduced R.Tensor(dtype="float32"))
        d: R.Tensor[(n + 1, m), "f32"] = R.exp(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((n + 1, m), dtype="float32"), but the value is R.Tensor((n, m), dtype="float32"): dimension 0 is n, expected n + 1 (2 against 3 for n = 2)
        #!     line 71: the value is the result of R.exp
        #!     line 67: `x` is R.Tensor((n, m), dtype="float32")
        #!     fix: annotate what is deduced
        #! d: R.Tensor((n + 1, m), dtype="float32")   (deduced R.Tensor((n, m), dtype="float32"))
        return (a, c, d)
