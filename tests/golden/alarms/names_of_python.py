# Names that Python, IPython or the file's own code bind without a statement that says so.
import tvm
from tvm.script import relax as R

print(__package__, __spec__, __debug__)
display(get_ipython().run_line_magic("time", "3"))
globals().update({"N": 4})
print(N)


@R.function
def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
    return x
