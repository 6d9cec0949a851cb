"""kill -9 at random moments of every command that writes: a file is as it was or as it is to be, never a part of it, and the next
run finds what it would have found. usage: kills.py [KILLS]: how many of each command are to take effect (4)."""
import os, random, shutil, signal, subprocess, sys, tempfile, time, zipfile

from common import RLX, check, report

FUNCTION = """    @R.function
    def f{i}(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            y = R.add(R.multiply(x, x), x)
            z = R.add(y, R.abs(x))
            R.output(y, z)
        return z
    @T.prim_func
    def p{i}(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("A"):
                v = T.axis.spatial(4, i)
                A[v] = T.float32(1)
"""
SCRIPT = "from tvm.script import ir as I, relax as R, tir as T\n@I.ir_module\nclass M:\n" + "".join(FUNCTION.format(i=i) for i in range(60))
SESSION = b"x = R.ones((40, 40), \"float32\")\n@R.function\ndef f(a: R.Tensor((4,), \"float32\")):\n    return R.add(a, a)\n\n"
KERNEL = 'from tvm.script import relax as R\n@R.function\ndef main(x: R.Tensor((700, 700), "float32")):\n    return R.add(x, x)\n'


def read(path):
    try:
        with open(path, "rb") as f: return f.read()
    except FileNotFoundError: return None


def archive(path):
    """The arrays of a .npz; None: it is not there. Raises when it is a part of one."""
    if not os.path.exists(path): return None
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None
        return {n: z.read(n) for n in z.namelist()}


def folder(path):
    return {n: read(os.path.join(path, n)) for n in sorted(os.listdir(path)) if n.endswith(".npy")} if os.path.isdir(path) else None


# Name, command, the place that it writes, how that is looked at, what it reads on standard input.
COMMANDS = (
    ("check --fix", ["check", "--no-cache", "--fix", "--unsafe-fixes", "--select=ALL", "--show=hint", "a.py"], "a.py", read, None),
    ("check", ["check", "--cache-dir=cache", "a.py"], None, None, None),
    ("check --baseline", ["check", "--no-cache", "--select=ALL", "--show=hint", "--baseline=known.json", "--write-baseline", "a.py"], "known.json", read, None),
    ("migrate --write", ["migrate", "--write", "--to=0.25", "a.py"], "a.py", read, None),
    ("normalize --write", ["normalize", "--write", "a.py"], "a.py", read, None),
    ("schedule --out", ["schedule", "--out=out.py", "a.py::p0", "-"], "out.py", read, b'sch.split("i", factors=[2, 2])\n'),
    ("run --out of an archive", ["run", "k.py", "x=700x700:float32:iota", "--out=out.npz"], "out.npz", archive, None),
    ("run --out of a folder", ["run", "k.py", "x=700x700:float32:iota", "--out=out"], "out", folder, None),
    (":save", ["repl"], "saved.py", read, SESSION + b":save saved.py\n"),
    (":save of an archive", ["repl"], "saved.npz", archive, SESSION + b":save saved.npz\n"),
    (":save of tensors", ["repl"], "saved.safetensors", read, SESSION + b":save saved.safetensors\n"),
    (":graph", ["repl"], "graph.svg", read, SESSION + b":graph graph.svg f\n"),
)


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    random.seed(int(os.environ.get("SEED", time.time())))
    for name, command, place, look, typed in COMMANDS:
        with tempfile.TemporaryDirectory() as top:
            def fresh():
                for file, text in (("a.py", SCRIPT), ("k.py", KERNEL)):
                    with open(os.path.join(top, file), "w") as f: f.write(text)

            def run(kill_after=None):
                child = subprocess.Popen([RLX, *command], cwd=top, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                if kill_after is None: return child.communicate(typed)[0], child.returncode
                if typed: child.stdin.write(typed); child.stdin.flush()
                child.stdin.close()
                time.sleep(kill_after)
                child.send_signal(signal.SIGKILL)
                child.stdout.read()
                return b"", child.wait()
            fresh()
            before = look(os.path.join(top, place)) if look else None
            start = time.monotonic()
            said, code = run()
            length = time.monotonic() - start
            if code == 2:
                check(f"{name} runs", b"LLVM" in said, (code, said[-300:]))
                continue
            after = look(os.path.join(top, place)) if look else None
            check(f"{name} writes", not look or after != before, (code, said[-300:]))
            kills = runs = 0
            bad = []
            while kills < wanted and runs < 12 * wanted:
                fresh()
                runs += 1
                # Most moments anywhere, some around the end, where files are written.
                moment = random.uniform(0, length) if runs % 2 else random.uniform(0.6, 1.1) * length
                now = look(os.path.join(top, place)) if look else None
                if runs % 3: shutil.rmtree(os.path.join(top, "cache"), ignore_errors=True)
                kills += run(moment)[1] == -signal.SIGKILL
                try:
                    then = look(os.path.join(top, place)) if look else None
                    parts = isinstance(then, dict) and all(then[n] == after.get(n) for n in then)
                    if then not in (now, before, after) and not parts: bad.append((runs, moment, str(then)[:200]))
                except Exception as error:
                    bad.append((runs, moment, repr(error)))
            fresh()
            again, code_again = run()
            check(f"{name}: a part of a file", not bad, bad[:3])
            check(f"{name} afterwards", code_again == code and (again == said or b"compile_ms" in said) and (not look or look(os.path.join(top, place)) == after), (code_again, again[-200:]))
            check(f"{name}: kills take effect", kills >= min(wanted, 1), (kills, runs))
            print(f"# {name}: {kills} of {runs} kills took effect")
    return report()


if __name__ == "__main__":
    sys.exit(main())
