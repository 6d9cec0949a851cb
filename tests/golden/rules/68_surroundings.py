# What belongs into a function, an async one or a loop, outside of it; and what looks so and is fine.
from tvm.script import relax as R


def counts(x):
    class Counter:
        nonlocal x
        x += 1

    return Counter


def waits(n):
    return (await wrap(i) for i in range(n))


def wants_async(x):
    return await x
#!  ^^^^^^^^^^^^^^ error[RLX0101]: `await` belongs into an `async def`


def wants_async_too(x):
    return [await i for i in x]
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0101]: `await` belongs into an `async def`


class Outside:
    nonlocal x
#!  ^^^^^^^^^^ error[RLX0101]: `nonlocal` belongs into a function


class Returns:
    def f(self):
        class Inner:
            return 1
#!          ^^^^^^^^ error[RLX0101]: `return` belongs into a function


@R.function
def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
    return x
