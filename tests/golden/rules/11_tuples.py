# rlx-golden: check
# Rule 11: a tuple index is in range; unpacking has one name for each field.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def index(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))):
    a = t[2]
    #!    ^ error[RLX0357]: index 2 is out of range for a tuple of 2
    #!     fix: change to `1`
    b = t[-1]
    #!    ^^ error[RLX0357]: index -1 is out of range for a tuple of 2
    #!     fix: count from the front
    c = t[-3]
    #!    ^^ error[RLX0357]: index -3 is out of range for a tuple of 2
    #!     fix: change to `0`
    d = t["0"]
    #!    ^^^ error[RLX0446]: a tuple's field: `index` is the string "0", expected a Python int
    return t


@R.function
def of_a_call(x: R.Tensor((4,), "float32")):
    s = R.split(x, 2, axis=0)
    y = s[2]
    #!    ^ error[RLX0357]: index 2 is out of range for a tuple of 2
    #!     fix: change to `1`
    return y


@R.function
def not_a_tuple(x: R.Tensor((2,), "float32"), s: R.Shape([2, 3])):
    a = x[0]
    #!  ^ error[RLX0358]: only tuples can be indexed, found R.Tensor((2,), dtype="float32")
    #!     fix: take the element
    b = s[0]
    #!  ^ error[RLX0358]: only tuples can be indexed, found R.Shape([2, 3])
    return x


@R.function
def too_few_names(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"), R.Object)):
    a, b = t
#!  ^^^^ error[RLX0359]: 2 names for a tuple of 3
    #!     fix: unpack all of it
    return a


@R.function
def too_many_names(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))):
    a, b, c = t
#!  ^^^^^^^ error[RLX0359]: 3 names for a tuple of 2
    return a


@R.function
def of_a_tensor(x: R.Tensor((2,), "float32")):
    a, b = x
    #!     ^ error[RLX0358]: only tuples can be indexed, found R.Tensor((2,), dtype="float32")
    return a


@R.function
def right(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))):
    a, b = t
    c = t[1]
    d = (a, b, c)
    e = d[2]
    return e
