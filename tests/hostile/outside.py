"""Every call of the tests of operators, and values of every kind, where no function is: as a value of the module, in a class, a signature,
a default, a decorator. What is said of them is no matter here; it is said, and nothing crashes."""
import pathlib, re, subprocess, sys

from common import HANG, RLX, check, report

TOP = pathlib.Path(__file__).resolve().parents[2]
HEAD = """from tvm.script import ir as I, relax as R, tirx as T
from tvm import relax, tirx, topi
from typing import TypeVar
import numpy as np, tvm
tv = TypeVar("tv")
x = R.const([1.0, 2.0])
n = T.int64()
s = R.shape([2, 3])
"""
VALUES = ("tv n x s n+1 x+1 -x x[0] x.shape s[0] f0 R T R.add R.x T.x T.axis tirx.sblock() tirx.if_then_else relax.Var('n',R.Prim('int64')) R.Tensor((tv,)) "
          "R.Tensor((n,'a.b','min(n,2)','R.x','(n'),'float32') R.Prim(value=tv) R.shape([tv,n]) R.prim_value(n) R.prim_value(x) R.prim_value(3) f'{n}.{tv}' "
          "R.add(T.exp(1.0),x) R.const(tv) R.match_cast(x,ty=R.Tensor((n,))) R.print(f0) R.emit_te(f0,x) topi.add(x,n) np.array([n,x]) R.ExternFunc(n) "
          "R.call_packed('x',n,ty_args=n,sinfo_args=n) R.Callable((n,),tv) T.call_extern('a',n) T.ptx.mma() R.dataflow() T.grid(n) lambda:x [0]*9 None ...").split()
FORMS = {
    "values": "v{i} = {c}\n",
    "used": "v{i} = {c}\n@R.function(pure=False)\ndef f{i}(x: R.Object):\n    y = R.print(v{i})\n    return v{i}\n@T.prim_func\ndef k{i}(A: T.Buffer((16,), 'float32')):\n    T.evaluate(v{i})\n",
    "class": "@I.ir_module\nclass M{i}:\n    I.module_attrs({{'a': {c}}})\n    z = {c}\n    @R.function\n    def f(x: R.Object):\n        return (z, x)\n",
    "signature": "@R.function\ndef f{i}(x: {c}, y: R.Tensor({c}, 'float32') = {c}) -> {c}:\n    return x\n@T.prim_func\ndef k{i}(A: T.Buffer({c}, {c})):\n    T.evaluate(0)\n",
    "decorator": "@R.function(pure={c}, private={c})\ndef f{i}(x: R.Object):\n    return x\n@T.prim_func({c})\ndef k{i}():\n    T.evaluate(0)\n@{c}\ndef g{i}():\n    pass\n",
}


def calls():
    """By the file that they are of."""
    yield "values", VALUES
    for path in sorted((TOP / "tests/ops").glob("*.txt")):
        found = re.findall(r"^\s*(R\.[\w.]+\(.*?\))\s*(?:where|=>)", path.read_text(), re.M)
        if found: yield path.stem, list(dict.fromkeys(found))


def main():
    for name, found in calls():
        for form, text in FORMS.items():
            script = HEAD + "".join(text.format(i=i, c=c) for i, c in enumerate(found))
            done = subprocess.run([RLX, "check", "--isolated", "--no-cache", "-"], input=script, capture_output=True, text=True, timeout=HANG)
            check(f"{name}, {form}", done.returncode in (0, 1), (done.returncode, done.stderr[-300:]))
    return report()


if __name__ == "__main__":
    sys.exit(main())
