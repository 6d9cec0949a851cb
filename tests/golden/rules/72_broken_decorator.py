# The only decorator of the file does not parse: the file is one of TVM's by what it imports.
import tvm
from tvm.script import relax as R


@R,function
#! 1-3 error[RLX0101]: invalid syntax
def main(x: R.Tensor((2, 3), "float32")):
    return x
