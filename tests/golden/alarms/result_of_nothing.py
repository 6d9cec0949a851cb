# What TVM calls to get a result's annotation may give None: the result of a function that says nothing else.
from tvm.script import relax as R


@R.function
def main(f: R.Callable(ret=print), g: R.Callable(None, print, True)):
    return f
