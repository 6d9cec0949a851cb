# rlx-golden: check
# What numpy raises ends the script: said at the call, in constants of the module and in R.const(…).
import numpy as np
import tvm
from config import SIDE
from tvm.script import relax as R

TABLE = np.ones((3, 4), "float32")
ON_DEVICE = tvm.nd.array(TABLE, tvm.cpu())
BACK = ON_DEVICE.numpy().reshape(12)
TURNED = TABLE.transpose(1, 2)
#!       ^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis 2 lies outside of an array of rank 2
SQUARE = TABLE.reshape(4, -1).reshape(5, -1)
#!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: 12 elements of (4, 3) do not fit the shape (5, -1)
LONGER = np.concatenate((TABLE, np.ones((2, 5))))
#!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: arrays of the shapes (3, 4) and (2, 5) can't be joined
LAYERS = np.stack([TABLE, TABLE.T], axis=0)
#!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: arrays of the shapes (3, 4) and (4, 3) can't be stacked
MISSPELT = np.onse((3, 4))
#!            ^^^^ error[RLX0203]: `numpy.onse` does not exist; did you mean `numpy.ones`?
#!     fix: change to `numpy.ones`
RANDOM = np.random.unifrom(size=(2, 3))
#!                 ^^^^^^^ error[RLX0203]: `numpy.random.unifrom` does not exist; did you mean `numpy.random.uniform`?
#!     fix: change to `numpy.random.uniform`
SEEDED = np.random.RandomState(0).rand(2, -1)
#!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: negative dimensions are not allowed
TOTAL: np.ndarray = TABLE.sum(axis=-3)
#!                  ^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis -3 lies outside of an array of rank 2
BELOW, ABOVE = np.tril(TABLE) + np.ones(3), 2
#!             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: the shapes (3, 4) and (3,) can't be broadcast together
WORD = TABLE.astype("flaot16")
#!     ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: there is no dtype "flaot16"; did you mean "float16"?
NUMBER = np.zeros(3, 4)
#!       ^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: a number is no dtype
KEYWORD = np.full((2,), fil_value=1)
#!        ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: there is no parameter `fil_value`
LACKING = np.full((2,))
#!        ^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: the argument `fill_value` is missing
BELONGS = TABLE.shap
#!              ^^^^ error[RLX0203]: `numpy.ndarray.shap` does not exist; did you mean `numpy.ndarray.shape`?
#!     fix: change to `numpy.ndarray.shape`
# What hangs on another module, on a condition or on a loop, or on the version of numpy, is not known.
ASIDE = np.arange(SIDE).reshape(7, 9)
if SIDE > 3:
    LARGE = np.zeros((2, 3)).reshape(5)
for turn in range(SIDE):
    ROW = TABLE[turn].reshape(9)
CHOSEN = np.zeros(-1) if SIDE > 3 else np.zeros((2, 3)).reshape(5)
MISSING = np.NAN
EITHER = SIDE > 3 and np.zeros(-1)
EACH = [np.zeros(-1) for _ in range(SIDE)]
NONE = [np.zeros(-1) for _ in []]
LATER = lambda: np.zeros(-1)
TAKEN = np.zeros(3) if True else np.zeros(-1)
# A constant of which something was said says nothing again.
DERIVED = np.vstack([SQUARE, np.ones((1, 1))])


def helper():
    return np.zeros((2, 3)).reshape(5)


@R.function
def main(x: R.Tensor((3, 4), "float32")):
    a = R.add(x, R.const(np.arange(12).reshape(3, 5), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: 12 elements of (12,) do not fit the shape (3, 5)
    b = R.add(x, R.const(TURNED, "float32"))
    c = R.add(x, R.const(TABLE[3], "float32"))
    #!                   ^^^^^^^^ error[RLX0335]: numpy raises an error here: index 3 lies outside of axis 0, which has 3 elements
    d = R.add(x, R.const(TABLE @ TABLE, "float32"))
    #!                   ^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: matrices of the shapes (3, 4) and (3, 4) can't be multiplied
    e = R.add(x, R.const(np.expand_dims(TABLE, 3), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis 3 lies outside of an array of rank 3
    f = R.add(x, R.const(np.squeeze(TABLE, axis=1), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis 1 of (3, 4) has not one element alone
    g = R.add(x, R.const(np.split(TABLE, 2)[0], "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: 3 elements can't be split into 2 equal parts
    h = R.add(x, R.const(np.pad(TABLE, ((1, 1), (0, 0), (0, 0))), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: 3 pairs of widths are given for an array of rank 2
    i = R.add(x, R.const(np.swapaxes(TABLE, 0, 2), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis 2 lies outside of an array of rank 2
    k = R.add(x, R.const(np.broadcast_to(TABLE, (4, 3)), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: (3, 4) does not broadcast to (4, 3)
    m = R.add(x, R.const(np.array([np.take(TABLE, 12)]), "float32"))
    #!                             ^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: an index lies outside of axis 0, which has 12 elements
    n = R.add(x, R.const(np.where(TABLE > 0, TABLE.T, 0), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: the shapes (4, 3) and (3, 4) can't be broadcast together
    o = R.add(x, R.const(np.max(TABLE, axis=(0, 0)), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: axis 0 is named twice
    p = R.add(x, R.const(np.ones((3, 2.5)), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: a dimension is an int, not a float
    q = R.add(x, R.const(-(TABLE > 0), "float32"))
    #!                   ^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: arrays of bool are not taken
    return x


@R.function
def accepted(x: R.Tensor((3, 4), "float32")):
    with R.dataflow():
        a = R.add(x, R.const(TABLE.reshape(-1, 4), "float32"))
        b = R.add(a, R.const(np.concatenate([TABLE[:1], TABLE[-2:]], axis=-2), "float32"))
        c = R.add(b, R.const(np.sum(TABLE, axis=(0, -1), keepdims=True), "float32"))
        d = R.add(c, R.const(np.zeros((3, 4), "f4"), "float32"))
        e = R.add(d, R.const(np.take(TABLE, [0, 9], mode="clip"), "float32"))
        f = R.add(d, R.const(np.tri(3, 4, -1, "half"), "float32"))
        g = R.add(f, R.const(np.arange(stop=4), "float32"))
        R.output(g)
    return g
