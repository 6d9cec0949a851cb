from tvm.script import relax as R

u = R.const([1, 2], "int64")
v = R.const([3, 4], "int64")
w = R.add(u, v)
u = R.multiply(v, w)
v = R.concat([u, w])
s = R.unique(v)
t = R.add(s, s)
o = v
tail = R.strided_slice(v, [0], [2], [4])
last = R.ones((3,), "int8")
