# Numbers that integer tensors hold, between shape_to_tensor and tensor_to_shape; TVM knows the rank alone.
from tvm.script import ir as I, relax as R, tir as T


@R.function
def known(x: R.Tensor((12,), "float32"), t: R.Tensor(("a", "b"), "float32")):
    a = T.int64()
    b = T.int64()
    st = R.shape_to_tensor(R.shape([3, 4]))
    #! st: R.Tensor((2,), dtype="int64")
    back = R.tensor_to_shape(st)
    #! back: R.Shape([3, 4])
    y = R.reshape(x, back)
    #! y: R.Tensor((3, 4), dtype="float32")
    scaled = R.tensor_to_shape(R.multiply(R.shape_to_tensor(R.shape_of(t)), R.const([2, 3], "int64")))
    #!                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                                      ^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Shape([a, b])
    #! gv1: R.Tensor((2,), dtype="int64")
    #! gv2: R.Tensor((2,), dtype="int64")
    #! scaled: R.Shape([a * 2, b * 3])
    whole = R.tensor_to_shape(R.expand_dims(R.prod(R.shape_to_tensor(R.shape_of(t))), axis=[0]))
    #!                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                                               ^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv3: R.Shape([a, b])
    #! gv4: R.Tensor((2,), dtype="int64")
    #! gv5: R.Tensor((), dtype="int64")
    #! gv6: R.Tensor((1,), dtype="int64")
    #! whole: R.Shape([a * b])
    joined = R.tensor_to_shape(R.concat((R.shape_to_tensor(R.shape([a])), R.const([7], "int64")), axis=0))
    #!                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv7: R.Tensor((1,), dtype="int64")
    #! gv8: R.Tensor((2,), dtype="int64")
    #! joined: R.Shape([a, 7])
    st2 = R.shape_to_tensor(R.shape([a, b, 5]))
    #! st2: R.Tensor((3,), dtype="int64")
    swapped = R.tensor_to_shape(R.take(st2, R.const([1, 0], "int64"), axis=0))
    #!                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv9: R.Tensor((2,), dtype="int64")
    #! swapped: R.Shape([b, a])
    tail = R.tensor_to_shape(R.strided_slice(st2, axes=[0], begin=[1], end=[3]))
    #!                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv10: R.Tensor((2,), dtype="int64")
    #! tail: R.Shape([b, 5])
    largest = R.tensor_to_shape(R.maximum(st2, R.const([1, 2, 3], "int64")))
    #!                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv11: R.Tensor((3,), dtype="int64")
    #! largest: R.Shape([T.max(a, 1), T.max(b, 2), 5])
    halves = R.tensor_to_shape(R.floor_divide(st2, R.const(2, "int64")))
    #!                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv12: R.Tensor((3,), dtype="int64")
    #! halves: R.Shape([a // 2, b // 2, 2])
    wide = R.tensor_to_shape(R.astype(R.astype(st2, "int32"), "int64"))
    #!                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                ^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv13: R.Tensor((3,), dtype="int32")
    #! gv14: R.Tensor((3,), dtype="int64")
    #! wide: R.Shape([a, b, 5])
    count = R.tensor_to_shape(R.reshape(R.size(t), R.shape([1])))
    #!                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                  ^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv15: R.Tensor((), dtype="int64")
    #! gv16: R.Tensor((1,), dtype="int64")
    #! count: R.Shape([a * b])
    cast = R.match_cast(st2, R.Tensor((3,), "int64"))
    #! cast: R.Tensor((3,), dtype="int64")
    again = R.tensor_to_shape(cast)
    #! again: R.Shape([a, b, 5])
    return y


@R.function
def unknown(s: R.Tensor((2,), "int64"), f: R.Tensor((), "bool")):
    st = R.shape_to_tensor(R.shape([3, 4]))
    #! st: R.Tensor((2,), dtype="int64")
    below = R.tensor_to_shape(R.subtract(st, R.const([4, 4], "int64")))
    #!                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((2,), dtype="int64")
    #! below: R.Shape(ndim=2)
    outside = R.tensor_to_shape(R.take(st, R.const([0, 2], "int64"), axis=0))
    #!                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv1: R.Tensor((2,), dtype="int64")
    #! outside: R.Shape(ndim=2)
    by_zero = R.tensor_to_shape(R.floor_divide(st, R.const([0, 1], "int64")))
    #!                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv2: R.Tensor((2,), dtype="int64")
    #! by_zero: R.Shape(ndim=2)
    given = R.tensor_to_shape(s)
    #! given: R.Shape(ndim=2)
    if f:
    #! one: R.Tensor((2,), dtype="int64")
        one = R.add(st, R.const(1, "int64"))
        #! one: R.Tensor((2,), dtype="int64")
    else:
        one = st
    either = R.tensor_to_shape(one)
    #! either: R.Shape(ndim=2)
    return either
