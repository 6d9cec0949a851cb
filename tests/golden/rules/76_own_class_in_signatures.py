# rlx-golden: check
# Python evaluates the signatures of a class's functions while the class has no name yet; bodies are read afterwards.
from tvm.script import ir as I, relax as R


@I.ir_module
class Net:
    @R.function
    def f(x: R.Tensor((len([Net]), 4), "float32")) -> R.Tensor((4,), "float32"):
    #!                      ^^^ error[RLX0201]: `Net` is not defined yet: Python evaluates signatures while it reads the class
        return x

    @R.function
    def g(x: R.Tensor((4,), "float32")) -> (R.Object, Net)[0]:
    #!                                                ^^^ error[RLX0201]: `Net` is not defined yet: Python evaluates signatures while it reads the class
        y: (R.Object, Net)[0] = Net.g(x)

        @R.function
        def inner(z: (R.Object, Net)[0]) -> R.Object:
            return z

        return y
