# The file's own statements, as Python runs them: names that nothing binds above, attributes and operators that values do not have.
import numpy as np
from tvm.script import ir as I, relax as R, tirx as T

ROWS = COLUMNS
#!     ^^^^^^^ error[RLX0201]: `COLUMNS` is not defined
COLUMNS = 3
SIZES = [ROWS, COLUMN]
#!             ^^^^^^ error[RLX0201]: `COLUMN` is not defined
CHOSEN = COLUMNS or MISSING
OTHER = MISSING if COLUMNS else 1
PICKED = 1 if NOWHERE else 2
#!            ^^^^^^^ error[RLX0201]: `NOWHERE` is not defined
LATE = lambda: LATER
EACH = [each for each in SIZES]
SPELLED = R.zeroes
#!          ^^^^^^ error[RLX0203]: `R.zeroes` does not exist; did you mean `R.zeros`?
#!     fix: change to `R.zeros`
COUNT: int = "a" * 2.5
#!           ^^^^^^^^^ error[RLX0421]: `*` can't be applied to the string "a" and the Python float 2.5
WIDTH: Width = 1
#!     ^^^^^ error[RLX0201]: `Width` is not defined
COLUMNS += STEP
#!         ^^^^ error[RLX0201]: `STEP` is not defined
np.random.seed(SEED)
#!             ^^^^ error[RLX0201]: `SEED` is not defined
for i in range(4):
    LAST = i
print(i, LAST, __name__, NotImplementedError)


def later(a=COLUMNS, b=BOUND):
#!                     ^^^^^ error[RLX0201]: `BOUND` is not defined
    return LATER


@registered
#! 1-11 error[RLX0201]: `registered` is not defined
def decorated():
    pass


@lambda f, g: f
#! 1-15 error[RLX0454]: this decorates no function
def taken():
    pass


class Layer(Base):
#!          ^^^^ error[RLX0201]: `Base` is not defined
    pass


class Sized(R.add, metaclass=Meta):
#!          ^^^^^ error[RLX0454]: this is no class that another derives from
    pass


class Typed(int):
    pass


class Fine(object, metaclass=type):
    pass


LATER = 1


@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return x
