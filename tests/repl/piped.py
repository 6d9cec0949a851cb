"""Sessions through a pipe that stays open: what is read while nothing comes in, and what a process that waits costs nobody."""
import json
import os
import pathlib
import subprocess
import tempfile

import waits

SCRIPT = 'from tvm.script import relax as R\n\n@R.function\ndef f(a: R.Tensor((2,), "float32")):\n    return R.add(a, a)\n'


class Session:
    def __init__(self, rlx, folder, *arguments):
        self.process = subprocess.Popen([rlx, "repl", *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seen = b""

    def enter(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def waits_for(self, text):
        """Whether the text appears behind what was waited for before."""
        while text.encode() not in self.seen:
            if not waits.readable(self.process.stdout, self.process.pid):
                return False
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return False
            self.seen += data
        self.seen = self.seen[self.seen.index(text.encode()) + len(text) :]
        return True

    def children(self):
        task = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return len(task.read_text().split())

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(waits.LIMIT)
        self.process.stdout.close()
        return code


def watch(rlx, folder):
    """A change is told while the pipe is empty, and counts for the next line."""
    script = pathlib.Path(folder) / "m.py"
    script.write_text(SCRIPT)
    session = Session(rlx, folder, "--watch", "m.py")
    session.enter("f(R.ones((2,), 'float32') * 3)\n")
    assert session.waits_for("[6. 6.]"), session.seen
    script.write_text(SCRIPT.replace("add", "multiply"))
    assert session.waits_for("f changed"), session.seen
    session.enter("f(R.ones((2,), 'float32') * 3)\nR.const(7)")  # the last line has no end
    assert session.waits_for("[9. 9.]"), session.seen
    assert session.close() == 0


VALUES = 'x = R.ones((2,), "float32")\ny = R.add(x, x)\nz = R.exp(x)\n'


def values(rlx, folder):
    """:reload takes a script's values over and tells which are others, drops what it has no more, and says what is mended."""
    script = pathlib.Path(folder) / "m.py"
    script.write_text(SCRIPT + VALUES)
    session = Session(rlx, folder, "--keep-going")
    session.enter(":load m.py\nown = R.const(5)\nz = R.const(9)\nown\n")
    assert session.waits_for("\n5\n"), session.seen
    script.write_text(SCRIPT.replace("add(a, a)", "add(a, b)") + 'y = R.zeros((3,), "float32")\nx = R.ones((2,), "float32")\n')
    session.enter(":reload\n")
    assert session.waits_for("`b` is not defined"), session.seen
    session.enter("own\n")
    assert session.waits_for("\n5\n"), session.seen
    script.write_text(SCRIPT + 'x = R.ones((2,), "float32")\nw = (x, x)\n')
    session.enter(":reload\n:who\n")
    assert session.waits_for("f changed\nf fits again\nw is new\ny is gone\nx "), session.seen
    assert session.waits_for("z "), "what was entered by hand is no value of the script"
    session.enter(":reload\n:undo\ny\n")
    assert session.waits_for("y is what it was before\n"), session.seen
    assert session.waits_for("[0. 0. 0.]"), session.seen
    assert session.close() == 1


def step(rlx, folder):
    """:step waits behind the first step, and leaves no process behind when it is left."""
    session = Session(rlx, folder)
    session.enter('x = R.ones((4,), "float32")\nR.const(7)\n')
    assert session.waits_for("7\n"), session.seen
    standing = session.children()
    session.enter(':step R.exp(R.reshape(R.add(x, x), (2, 2)))\n')
    assert session.waits_for("[2. 2. 2. 2.]"), session.seen
    assert session.children() == standing + 1, "it does not wait"
    assert b"7.38" not in session.seen, session.seen
    session.enter("next\nquit\nR.const(5)\n")
    assert session.waits_for("\n5\n"), session.seen
    assert session.children() == standing, "a process is left"
    session.enter(":step R.exp(R.add(x, x))\n")
    assert session.waits_for("[2. 2. 2. 2.]"), session.seen
    assert session.close() == 0


SUM = """@T.prim_func(s_tir=True)
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64,), "float32")):
    for i, k in T.grid(64, 64):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]

"""


def schedule_of_the_jit(rlx, folder):
    """:sched --jit f FILE: the file's steps come behind the code generator's own, whose widths are those of the processor."""
    (pathlib.Path(folder) / "f.trace").write_text('b = sch.get_sblock("sum")\nsch.annotate(b, "seen", 1)\n')
    session = Session(rlx, folder)
    session.enter(SUM + ":sched --jit f f.trace\n:trace\n:done\n")
    assert session.waits_for('sch.jit_rewrite(l[0], "reduction", ['), session.seen
    assert session.waits_for("vectorized"), session.seen
    assert session.waits_for('sch.jit_rewrite(l[0], "reduction", ['), session.seen
    assert session.waits_for('\nsch.annotate(b, "seen", 1)\n'), session.seen
    assert session.close() == 0


ENDLESS = '@T.prim_func\ndef endless(A: T.Buffer((4,), "int64")):\n    while A[0] >= T.int64(0):\n        A[1] = A[1] + T.int64(1)'


def notebook(rlx, folder):
    """`rlx kernel`: an interrupt ends the cell that was sent before it, whether it runs already or not, and no other."""
    process = subprocess.Popen([rlx, "kernel"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def say(*messages):
        process.stdin.write("".join(json.dumps(m) + "\n" for m in messages).encode())
        process.stdin.flush()

    def answer():
        assert waits.readable(process.stdout, process.pid), "no answer"
        return json.loads(process.stdout.readline())
    interrupt = {"method": "interrupt"}
    say(interrupt, {"id": 0, "method": "execute", "code": ENDLESS})
    assert answer()["ok"]
    for i in range(20):
        say({"id": i, "method": "execute", "code": 'endless(R.ones((4,), "int64"))'}, interrupt)
        assert not answer()["ok"]
        say(interrupt, interrupt, {"id": i, "method": "execute", "code": "40 + 2"})
        last = answer()
        assert last["ok"] and last["pieces"][0]["text"].startswith("42"), last
    process.stdin.close()
    assert process.wait(waits.LIMIT) == 0


CASES = {case.__name__: case for case in (watch, values, step, schedule_of_the_jit, notebook)}


def run(rlx, name):
    """What is wrong with one of them, or None."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return CASES[name](rlx, folder)
        except AssertionError as why:
            return str(why)
