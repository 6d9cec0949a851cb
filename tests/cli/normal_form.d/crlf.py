from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2,), "float32")):
	y = R.add(R.exp(x), \
		x); z = R.exp(R.abs(y))  # two
	t = (y, z)
	return R.add(t[0], t[1])
