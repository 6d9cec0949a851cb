"""Limits of docs/security.md: what is at one passes, what is a step beyond it is told, with a message that says what, where and how
much is the most. Each row here names the constant that the page's row names."""
import json, os, re, struct, subprocess, sys, tempfile, zipfile

from common import HANG, RLX, check, report

HEAD = "from tvm.script import ir as I, relax as R, tir as T\n"
FUNCTION = HEAD + '@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    return R.add(x, x)\n'
ANY_RANK = HEAD + '@R.function\ndef f(x: R.Tensor(dtype="float32")):\n    return x\n'
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20}


def most(constant):
    """What the page says that the limit is."""
    constant += "" if "`" in constant else "` in"
    with open("docs/security.md") as f:
        row = next(line for line in f if f"`{constant}" in line)
    number, unit = re.match(r"\s*([\d,]+)\s*(KiB|MiB)?", row.split("|")[2]).groups()
    return int(number.replace(",", "")) * UNITS.get(unit, 1)


def put(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f: f.write(data if isinstance(data, bytes) else data.encode())


def rlx(*args, stdin=b""):
    done = subprocess.run([RLX, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANG)
    return done.returncode, done.stdout.decode(errors="replace")


def checked(text, name="a.py"):
    put(name, text)
    return rlx("check", "--no-cache", name)


def run(text, *args):
    put("a.py", text)
    return rlx("run", "a.py", *args)


def npy(shape="(4,)", head=None, data=bytes(16)):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * ((head or len(text) + 1) - len(text) - 1) + b"\n"
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", len(text)) + text + data


def brackets(n): return checked(FUNCTION.replace("R.add(x, x)", "R.add(" + "(" * (n - 1) + "x" + ")" * (n - 1) + ", x)"))
def loops(n): return checked(HEAD + '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n' + "".join(" " * (i + 1) + f"for i{i} in range(2):\n" for i in range(n - 1))
                             + " " * n + "A[0] = T.float32(1)\n")
def deep(n): return checked(HEAD + "N = " + "-" * (n - 1) + "1\n" + FUNCTION.partition("\n")[2])
def script(n): return checked("#" * (n - 1) + "\n")


def configuration(n):
    put("c/rlx.toml", "# " + "x" * (n - 3) + "\n")
    return checked(FUNCTION, "c/a.py")


def problems(n):
    put("c/rlx.toml", "".join(f"k{i} = 1\n" for i in range(n)))
    return checked(FUNCTION, "c/a.py")


def ignored(n):
    put("g/.git/HEAD", "")
    put("g/.gitignore", "".join(f"z{i}\n" for i in range(n - 1)) + "bad.py\n")
    put("g/bad.py", FUNCTION.replace("R.add", "R.no"))
    return rlx("check", "--no-cache", "g")


def patterns(n):
    """The last entry is for a file that has a finding of its own: beyond the limit it's not used, and the finding stays."""
    put("p/rlx.toml", "[per-file-ignores]\n" + "".join(f'"z{i}/*.py" = ["ALL"]\n' for i in range(n - 1)) + '"bad.py" = ["ALL"]\n')
    put("p/bad.py", FUNCTION.replace("R.add", "R.no"))
    code, out = rlx("check", "--no-cache", "p")
    return code, out + (" R.no" if ("R.no" in out) != ("at most" in out) else "")


def header(n):
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    return rlx("lsp", stdin=b"X: " + b"a" * (n - 5) + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def head(n):
    put("x.npy", npy(head=n))
    return run(FUNCTION, "x=@x.npy")


def rank(n):
    put("x.npy", npy("(" + "1, " * n + ")", data=bytes(4)))
    return run(ANY_RANK, "x=@x.npy")


def archive(n):
    with zipfile.ZipFile("x.npz", "w") as z:
        for i in range(n): z.writestr(f"{i:06}.npy", b"" if i else npy())
    return rlx("repl", stdin=b'w = load("x.npz")\n')


def tuples(n):
    lines = "".join(f"    t{i} = (t{i - 1},)\n" for i in range(1, n + 1))
    return run(HEAD + f'@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    t0 = R.add(x, x)\n{lines}    return t{n}\n', "x=4:float32:ones")


def operands(n): return run(FUNCTION.replace("R.add(x, x)", "R.concat([" + "x, " * n + "], axis=0)"), "x=4:float32:ones")
def results(n): return run(FUNCTION.replace("4", str(n)).replace("R.add(x, x)", f"R.split(x, {n})"), f"x={n}:float32:ones")
def computed(n): return run(FUNCTION.replace("(4,)", "(" + "1, " * n + ")"), "--random")
def made(n): return run(FUNCTION.replace("R.add(x, x)", f'R.call_dps_packed("no", (x,), out_sinfo=R.Tensor(({"1, " * n}), "float32"))'), "x=4:float32:ones")


def tensors(tensors, data):
    """A file of tensors, in a session; what is said of it."""
    head = json.dumps(tensors).encode()
    put("x.safetensors", struct.pack("<Q", len(head)) + head + data)
    return rlx("repl", stdin=b'w = load("x.safetensors")\n')


def byte(at, shape=()): return {"dtype": "U8", "shape": list(shape), "data_offsets": [at, at + 1]}
def name(n): return tensors({"n" * n: byte(0)}, bytes(1))
def literal(n): return run(ANY_RANK, "x=" + "[" * n + "1" + "]" * n)
def wide(n): return tensors({"t": byte(0, [1] * n)}, bytes(1))


def nested(n):
    """A session's tuple in a tuple, n of them."""
    def number(value): return npy("()", data=struct.pack("<q", value)).replace(b"<f4", b"<i8")
    names = ["w" + ".0" * i for i in range(n)]
    with zipfile.ZipFile("x.npz", "w") as z:
        for tuple_name in names: z.writestr(tuple_name + "#tuple.npy", number(1))
        z.writestr(names[-1] + ".0.npy", number(7))
    return rlx("repl", stdin=b":restore x.npz\n")


def constants(n):
    """Modules that a file takes a constant from each; the last one is asked of."""
    put("m/rlx.toml", "")
    for i in range(n): put(f"m/c{i}.py", "N = 7\n")
    uses = "".join(f"    s = R.shape([N{i}])\n" for i in range(n))
    put("m/a.py", "".join(f"from c{i} import N as N{i}\n" for i in range(n)) + HEAD + f'@R.function\ndef f(x: R.Tensor((4,), "float32")):\n{uses}    return s\n')
    return rlx("infer", "m/a.py")


def chain(n):
    """Modules that one constant comes through."""
    put("m/rlx.toml", "")
    for i in range(n): put(f"m/c{i}.py", f"from c{i + 1} import N\n" if i + 1 < n else "N = 7\n")
    put("m/a.py", "from c0 import N\n" + FUNCTION.replace("R.add(x, x)", "R.shape([N])"))
    return rlx("infer", "m/a.py")


def items(n):
    put("a.py", f"N = [0] * {n}\n" + FUNCTION.replace("R.add(x, x)", "R.shape([len(N)])"))
    return rlx("infer", "a.py")


def traces(n):
    put("t/p.py", HEAD.replace("tir as T", "tirx as T") + '@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((4,), "float32")):\n    for i in range(4):\n        A[i] = T.float32(1)\n')
    put("t/t.txt", "")
    put("t/rlx.toml", '[schedules]\n"p.py" = [' + ", ".join(['"t.txt"'] * n) + "]\n")
    return rlx("check", "--no-cache", "t")


def line(n): return checked(HEAD + '@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    y = R.no(x)' + "#" * (n - 15) + "\n    return y\n")


def loops_asked(n):
    """Loops around an access that is out of bounds."""
    names = [f"i{k}" for k in range(n)]
    text = '@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((4,), "float32")):\n    for ' + ", ".join(names) + " in T.grid(" + ", ".join("1" * n) + "):\n        A[4] = T.float32(1)\n"
    code, out = checked(HEAD.replace("tir as T", "tirx as T") + text)
    return code, out if "RLX0620" in out else out + "nothing of it"


def integers(n):
    """Of `tir_vars`; the last one is added to the elements, so that none is lost."""
    names = [f"n{i}" for i in range(n)]
    kernel = HEAD + '@I.ir_module\nclass M:\n    @T.prim_func(s_tir=True)\n    def k(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), ' + ", ".join(f"{v}: T.int64" for v in names)
    kernel += f"):\n        for i in range(4):\n            B[i] = A[i] + T.Cast(\"float32\", {names[-1]})\n"
    script = kernel + '    @R.function\n    def f(x: R.Tensor((4,), "float32")):\n        cls = M\n        return R.call_tir(cls.k, (x,), out_sinfo=R.Tensor((4,), "float32"), tir_vars=R.shape([' + ", ".join(map(str, range(n))) + "]))\n"
    put("a.py", script.replace("tir as T", "tirx as T"))
    code, out = rlx("run", "a.py::f", "x=4:float32:ones")
    return code, out + ("" if "more than" in out or f"[{n}. {n}. {n}. {n}.]" in out else "other values")


# The constant, what makes an input of that size, what is said beyond the limit, and what is not said at it.
ROWS = (
    ("RLX_MAX_OPEN_BRACKETS", brackets, "too many brackets are open here: 200 is the most", "error["),
    ("RLX_MAX_INDENTATION_LEVELS", loops, "too many levels of indentation: 100 are the most", "error["),
    ("RLX_SYNTAX_MAX_DEPTH", deep, "this is nested too deeply: 1000 levels are the most", "error["),
    ("RLX_FILE_LIMIT_BYTES", script, "larger than the limit of 64 MiB", "limit"),
    ("RLX_TOML_LIMIT_BYTES", configuration, "larger than the limit of 4 MiB", "limit"),
    ("PROBLEMS_MAX", problems, "this and other problems of configurations are not told: 100 are", "not told"),
    ("RLX_IGNORE_RULES_MAX", ignored, "R.no", "R.no"),
    ("RLX_CONFIG_PATTERNS_MAX", patterns, "has 4096 patterns at most", "not used"),
    ("MAX_HEADER_BYTES", header, "a header line is longer than 4 KiB", "error"),
    ("RLX_ARRAY_HEADER_MAX", head, "a header of 65537 bytes is longer than 65536", "longer"),
    ("RLX_TENSOR_NDIM_MAX", rank, "an array has more than 64 dimensions", "more than"),
    ("RLX_ARRAYS_MAX", archive, "has more than 100000 arrays", "more than"),
    ("DEPTH_MAX", tuples, "tuples are nested more than 1000 deep in the result", "more than"),
    ("RLX_KERNEL_MAX_INPUTS", operands, "R.concat: more than 256 operands", "more than"),
    ("RLX_KERNEL_MAX_OUTPUTS", results, "R.split: more than 64 results", "more than"),
    ("RLX_MAX_NDIM", computed, "R.add: more than 16 dimensions", "more than"),
    ("RLX_KERNEL_MAX_VARS", integers, "k: more than 256 variables in the parameters", "other values"),
    ("NAME_MAX_BYTES", name, "has a string of more than 4096 bytes", "error"),
    ("RLX_TENSOR_NDIM_MAX", wide, "has a list of more than 64 numbers", "error"),
    ("RLX_TENSOR_NDIM_MAX", literal, "x: lists are nested more than 64 deep", "nested"),
    ("DEPTH_MAX` in `repl/archive.c", nested, "w#tuple is no value of a session", "error"),
    ("VALUES_MAX", constants, "{N64}", "{N"),
    ("RLX_CHAIN_MAX", chain, "R.Shape(ndim=1)", "ndim=1"),
    ("RLX_MAX_ITEMS", items, "R.Shape(ndim=1)", "ndim=1"),
    ("TRACES_MAX", traces, "1001 traces, of which the first 1000 are carried out", "traces"),
    ("LONG_LINE", line, "#…", "…"),
    ("RLX_SET_DIMS_MAX", loops_asked, "nothing of it", "nothing of it"),
    ("RLX_TENSOR_NDIM_MAX", made, "more than 64 dimensions", "more than"),
)
NEED_LLVM = (head, rank, archive, tuples, operands, results, computed, made, integers, name, wide, literal, nested)


def suggestions():
    """In a module of hundreds of functions not all are held against a misspelt name, and the one that is meant is found all the same."""
    for n in (256, 257, 3000):
        names = [f"{('norm', 'dense', 'pool')[i % 3]}_{i}_{('relu', 'exp')[i % 2]}" for i in range(n)]
        right = names[n // 2]
        for wrong in ("x" + right[1:], right[:4] + right[5:], right[:-1] + "q", right.replace("_", "__", 1)):
            put("m.py", HEAD + "@I.ir_module\nclass M:\n" + "".join(f"    @R.function\n    def {name}(x: R.Object):\n        return x\n" for name in names)
                + f"    @R.function\n    def main(x: R.Object):\n        y = M.{wrong}(x)\n        return y\n")
            out = rlx("check", "--no-cache", "m.py")[1]
            check(f"{wrong} among {n} functions", f"did you mean `{right}`?" in out, out[-300:])


def endless_supply():
    """Extern functions come from a script like any other: one without an end is read as far as a script may be long."""
    code, out = rlx("run", "f.py", "x=4:float32:ones", "--with=/dev/zero")
    check("a script of extern functions without an end", code == 2 and "larger than the limit of 64 MiB" in out, (code, out[-200:]))


def too_deep_a_value():
    """A variable may get deeper than an entry can name it: the prompt says which limit that is."""
    out = rlx("repl", "--keep-going", "--no-history", stdin=("a0 = R.const(1.0)\n" + "".join(f"a{i} = (a{i - 1}, a0)\n" for i in range(1, 220))).encode())[1]
    check("a value that is too deep for an entry", "200 brackets in one another, and an entry reads 199" in out and "RLX0101" not in out, out[:400])


def main():
    limits = {row[0]: most(row[0]) for row in ROWS}
    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        has_llvm = "LLVM" not in run(FUNCTION, "x=4:float32:ones")[1]
        for constant, make, said, unsaid in ROWS:
            if make in NEED_LLVM and not has_llvm: continue
            for n in (limits[constant] - 1, limits[constant]):
                code, out = make(n)
                check(f"{constant}, {n}", code >= 0 and said not in out and unsaid not in out, (code, out[-400:]))
            code, out = make(limits[constant] + 1)
            check(f"{constant}, one beyond", code >= 0 and said in out, (code, out[-400:]))
        suggestions()
        if has_llvm: too_deep_a_value()
        put("f.py", FUNCTION)
        endless_supply()
    return report()


if __name__ == "__main__":
    sys.exit(main())
