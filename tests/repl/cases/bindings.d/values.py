from tvm.script import relax as R
import numpy as np

k = 3
a = R.const([1.0, 2.0, 3.0], "float32")
b = R.exp(a)
c = R.add(a, b)
d = R.multiply(c, R.const(0.1, "float32"))
a = R.add(a, d)
e = R.nonzero(R.greater(a, R.const(3.0, "float32")))
f = R.sum(a, axis=[0])
g = R.take(a, R.const(1))
h = R.permute_dims(R.reshape(R.concat([a, b]), (2, 3)))
i = R.shape([2, 3])
j = R.zeros(i, "float32")
l = R.print(a)
m = R.add(a, b)
n = R.add(m, b)
o = R.add(
    n,  # comment
    b,
)
p = R.add(o, R.const([1.0, 2.0], "float32"))
q = R.add(o, b)
