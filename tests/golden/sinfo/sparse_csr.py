# The extension StructInfo R.SparseCSR: parts are variables; addition keeps what both operands share; what leaves its
# variables' scope forgets them; other kinds are disjoint from it.
from tvm.script import relax as R


@R.function
def shared(indptr: R.Tensor(("m",), "int64"), indices: R.Tensor(("nnz",), "int64"),
           data0: R.Tensor(("nnz",), "float32"), data1: R.Tensor(("nnz",), "float32")):
    y: R.SparseCSR(indptr, indices) = R.make_csr(indptr, indices, data0)
    #! y: R.SparseCSR(indptr, indices)
    x = R.make_csr(indptr, indices, data1)
    #! x: R.SparseCSR(indptr, indices)
    z = x + y
    #! z: R.SparseCSR(indptr, indices)
    any_structure: R.SparseCSR = z
    #!             ^^^^^^^^^^^ hint[RLX0366]: annotated as R.SparseCSR, deduced is R.SparseCSR(indptr, indices)
    #!     fix: make annotation finer
    #! any_structure: R.SparseCSR(indptr, indices)
    return z


@R.function
def other_structure(a: R.Tensor(("m",), "int64"), b: R.Tensor(("n",), "int64"), c: R.Tensor(("n",), "int64"),
                    data: R.Tensor(("n",), "float32")):
    x = R.make_csr(a, b, data)
    #! x: R.SparseCSR(a, b)
    y = R.make_csr(a, c, data)
    #! y: R.SparseCSR(a, c)
    z = R.add(x, y)
    #! z: R.SparseCSR(a, None)
    dense = R.add(x, data)
    #!            ^ error[RLX0301]: R.add expects a tensor as `x1`, found R.SparseCSR(a, b)
    #! dense: R.Tensor
    wrong: R.Tensor = x
    #!     ^^^^^^^^ error[RLX0350]: annotated as R.Tensor, but the value is R.SparseCSR(a, b): R.SparseCSR(a, b) is not R.Tensor
    #!     fix: annotate what is deduced
    #! wrong: R.Tensor   (deduced R.SparseCSR(a, b))
    return z


@R.function
def branches(a: R.Tensor(("m",), "int64"), b: R.Tensor(("n",), "int64"), data: R.Tensor(("n",), "float32"),
             cond: R.Tensor((), "bool")):
    if cond:
    #! y: R.SparseCSR(a, None)
        b1 = R.multiply(b, b)
        #! b1: R.Tensor((n,), dtype="int64")
        y = R.make_csr(a, b1, data)
        #! y: R.SparseCSR(a, b1)
    else:
        y = R.make_csr(a, b, data)
        #! y: R.SparseCSR(a, b)
    return y


@R.function
def mistakes(a: R.Tensor(("m",), "int64"), b: R.Tensor(("n",), "int64"), data: R.Tensor(("n", 2), "float32")):
    x = R.make_csr(a, b, data)
    #!                   ^^^^ error[RLX0310]: R.make_csr: `data` has rank 2, expected rank 1
    #! x: R.SparseCSR
    y = R.make_csr(b, data, a)
    #!                ^^^^ error[RLX0310]: R.make_csr: `indices` has rank 2, expected rank 1
    #! y: R.SparseCSR
    return x
