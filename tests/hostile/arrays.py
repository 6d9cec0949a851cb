"""Arrays that mean harm: what `rlx run` says of each, and that nothing is read or allocated for those that do not fit."""
import io, json, os, resource, struct, subprocess, sys, tempfile, time, zipfile, zlib

from common import HANG, RLX, check, report

FIXED = """from tvm.script import relax as R
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x, x)
"""
FREE = """from tvm.script import relax as R
@R.function
def main(x: R.Tensor(("n",), "float32")):
    return R.sum(x)
"""
KERNEL = """from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi] + T.float32(1)
"""
SHAPED = """from tvm.script import relax as R
@R.function
def main(s: R.Shape(ndim=2), p: R.Prim("int64")):
    return R.ones(s, "float32")
"""


def header(text, version=1, length=None):
    head = text.encode() + b"\n"
    size = len(head) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", size) + head


def npy(shape="(2, 3)", data=struct.pack("<6f", *range(6)), descr="'<f4'", order="False", more="", version=1):
    return header(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, {more}}}", version) + data


def archive(*members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in members:
            with z.open(name, "w", force_zip64=True) as f:
                for part in data if isinstance(data, list) else [data]: f.write(part)
    return out.getvalue()


MAX = 2**63 - 1
BAD = {  # a .npy file for main(x: R.Tensor((2, 3), "float32")) of FIXED → what is said, exit code
    "empty": (b"", "not a .npy file", 2),
    "a pickle": (b"\x80\x04\x95\x10\x00\x00\x00", "not a .npy file", 2),
    "version 9": (npy(version=9), "version 9", 2),
    "no header": (npy()[:10], "ends inside its header", 2),
    "half a header": (npy()[:40], "ends inside its header", 2),
    "half its data": (npy()[:-5], "ends inside its data", 2),
    "a header of 4 GB": (header("{}", 2, 2**32 - 1), "ends inside its header", 2),
    "a header of 1 MB": (header("{" + " " * 2**20, 2), "longer than", 2),
    "pickled objects": (npy(descr="'|O'"), "not supported", 2),
    "text": (npy(descr="'<U4'"), "not supported", 2),
    "complex numbers": (npy(descr="'<c8'"), "not supported", 2),
    "structures": (npy(descr="[('x', '<f4')]"), "structures", 2),
    "an item of 2^31 bytes": (npy(descr="'<f2147483648'"), "not supported", 2),
    "two shapes": (npy(more="'shape': (1,), "), "'shape' twice", 2),
    "two dtypes": (npy(more="'descr': '<i8', "), "'descr' twice", 2),
    "two orders": (npy(more="'fortran_order': True, "), "'fortran_order' twice", 2),
    "another key": (npy(more="'x': 1, "), "unknown key", 2),
    "no shape": (header("{'descr': '<f4', 'fortran_order': False}"), "lacks", 2),
    "text behind the dictionary": (header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} + x"), "goes on", 2),
    "a number as shape": (npy(shape="6"), "no tuple", 2),
    "a number in brackets": (npy(shape="(6)"), "no tuple", 2),
    "no comma": (npy(shape="(2 3)"), "no tuple", 2),
    "a negative length": (npy(shape="(-2, 3)"), "not made of integers", 2),
    "2^63": (npy(shape=f"({MAX + 1},)"), "too large", 2),
    "a product beyond int64": (npy(shape=f"({MAX}, {MAX}, 0)"), "larger than any memory", 2),
    "the zero first": (npy(shape=f"(0, {MAX}, {MAX})"), "larger than any memory", 2),
    "bytes beyond int64": (npy(shape=f"({2**61}, 4)"), "larger than any memory", 2),
    "65 dimensions": (npy(shape="(" + "1," * 65 + ")"), "more than 64 dimensions", 2),
    "another rank": (npy(shape="(6,)"), "has 1 dimension, expected 2", 1),
    "another length": (npy(shape="(3, 2)"), "dimension 0 is 3, expected 2", 1),
    "4 EB that are not there": (npy(shape="(1000000000, 1000000000)"), "dimension 0 is 1000000000", 1),
    "another dtype": (npy(descr="'<i4'"), "dtype is int32, expected float32", 1),
}
GOOD = {
    "plain": npy(), "version 2": npy(version=2), "version 3": npy(version=3),
    "big-endian": npy(descr="'>f4'", data=struct.pack(">6f", *range(6))),
    "column by column": npy(order="True", data=struct.pack("<6f", 0, 3, 1, 4, 2, 5)),
    "both": npy(descr="'>f4'", order="True", data=struct.pack(">6f", 0, 3, 1, 4, 2, 5)),
}


def inflating(size):
    """CPU seconds that zlib takes for so many zeros here."""
    part = zlib.compress(bytes(size // 100))  # small: a child starts with the peak memory of the process that it is forked from
    before = time.process_time()
    inflater = zlib.decompressobj()
    while part: inflater.decompress(part, 1 << 20); part = inflater.unconsumed_tail
    return 100 * (time.process_time() - before)


def run(script, *args, folder):
    """The run's text, exit code and peak memory in MB, of the worker too: both are children that are waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    name = os.path.join(folder, "script.py")
    with open(name, "w") as f: f.write(script)
    process = subprocess.Popen([RLX, "run", name, *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = process.stdout.read()
    _, state, use = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(state)
    return text, process.returncode, use.ru_maxrss / 1024, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def cut_short(folder):
    """Whether a session goes on when a mapped file is cut short, and says so; and what it wrote."""
    path, count = os.path.join(folder, "w.safetensors"), 1 << 18
    head = json.dumps({"a": {"dtype": "F32", "shape": [count], "data_offsets": [0, 4 * count]}}).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + b"\0\0\x80?" * count)
    session = subprocess.Popen([RLX, "repl"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    session.stdin.write('w = load("w.safetensors")\nx = w["a"]\nn = 20 + 1\nn\n')
    session.stdin.flush()
    before = session.stdout.readline()
    while before and "21" not in before:
        before = session.stdout.readline()
    os.truncate(path, 4096)
    out, err = session.communicate("x\nm = 40 + 2\nm\nR.sum(x)\n", timeout=HANG)
    return "42" in out and "was cut short" in err and "worker died" in out + err and session.returncode == 1, (session.returncode, out, err)


def loaded(text, *options, folder):
    """The end of a session that goes on after errors."""
    done = subprocess.run([RLX, "repl", "--keep-going", *options], cwd=folder, input=text + "40 + 2\n", capture_output=True, text=True, timeout=HANG)
    return done.stdout + done.stderr


def tensors(*offsets, data):
    """A .safetensors file of float32 tensors that lie there in its data."""
    head = json.dumps({f"t{i}": {"dtype": "F32", "shape": [(stop - begin) // 4], "data_offsets": [begin, stop]} for i, (begin, stop) in enumerate(offsets)}).encode()
    return struct.pack("<Q", len(head)) + head + bytes(data)


def places(put, folder):
    """The tensors of a .safetensors file take all of its data, each byte once."""
    for name, data, expected in (("side by side, and one of nothing", tensors((8, 16), (0, 8), (8, 8), data=16), "0."), ("no tensors", tensors(data=0), ""),
                                 ("tensors that overlap", tensors((0, 8), (4, 12), data=12), "overlap"), ("one twice", tensors((0, 8), (0, 8), data=8), "overlap"),
                                 ("a hole", tensors((0, 8), (12, 16), data=16), "leaves 4 bytes of the data from 8 on to no tensor"),
                                 ("a hole in front", tensors((4, 8), data=8), "leaves 4 bytes of the data from 0 on to no tensor"),
                                 ("nothing in a hole", tensors((0, 8), (10, 10), data=8), "the file ends inside its data"),
                                 ("a name that is not UTF-8", tensors((0, 8), data=8).replace(b"t0", b"t\xff"), "not UTF-8"),
                                 ("data behind the last", tensors((0, 8), data=11), "3 bytes stand behind the data of its tensors")):
        put("p.safetensors", data)
        said = loaded('w = load("p.safetensors")\nw\n', folder=folder)
        fits = expected in ("0.", "")
        check(f"{name} in .safetensors", ("error: p.safetensors" in said) != fits and (expected in said or fits) and "\n42\n" in "\n" + said[-80:], said)


def number(value): return npy(descr="'<i8'", shape="()", data=struct.pack("<q", value))


# Members that no session has: names that cannot be typed, tuples that have more than there is, lengths that are none, dtypes that :save never marks.
FORGED = (
    ("a keyword", (("lambda.npy", npy()),), "x.npz: lambda is no variable"),
    ("a constant of Python", (("True#tuple.npy", number(0)),), "x.npz: True#tuple is no variable"),
    ("a field of nothing", (("w.0.npy", npy()),), "x.npz: w.0 is no variable"),
    ("a field of what is no tuple", (("w.npy", npy()), ("w.0.npy", npy())), "x.npz: w.0 is no variable"),
    ("a tuple of a billion", (("w#tuple.npy", number(10**9)),), "x.npz: w#tuple is no value"),
    ("a tuple of less than none", (("w#tuple.npy", number(-3)),), "x.npz: w#tuple is no value"),
    ("a tuple without its second field", (("w#tuple.npy", number(2)), ("w.0.npy", npy())), "x.npz: w#tuple is no value"),
    ("negative lengths", (("s#shape.npy", npy(descr="'<i8'", shape="(2,)", data=struct.pack("<2q", 4, -4))),), "x.npz: s#shape is no value"),
    ("lengths that are no integers", (("s#shape.npy", npy(shape="(2,)", data=struct.pack("<2f", float("nan"), 1e30))),), "x.npz: s#shape is no value"),
    ("vectors", (("v#float32x4.npy", npy()),), "x.npz: v#float32x4 is no value"),
    ("pointers", (("p#handle.npy", npy()),), "x.npz: p#handle is no value"),
)


def sessions(put, folder):
    """load() of a session decodes in a worker, under the limits of an evaluation: the session goes on whatever a file holds."""
    put("x.npz", archive(("x.npy", npy()), ("y.npy", npy(descr="'>f4'", data=struct.pack(">6f", *range(6))))))
    said = loaded('w = load("x.npz")\nR.add(w["x"], w["y"])\n', folder=folder)
    check("an archive at the prompt", "[[ 0.  2.  4.]\n [ 6.  8. 10.]]" in said and "\n42\n" in said[-80:], said)
    for options, expected in ((["--memory-limit=0", "--time-limit=1"], "bomb.npz: stopped after 1 seconds"), (["--memory-limit=300"], "more than the 314572800"),
                              (["--memory-limit=6000", "--time-limit=1"], "stopped after 1 seconds")):
        said = loaded('w = load("bomb.npz")\n', *options, folder=folder)
        check(f"a bomb at the prompt, {options}", expected in said and "\n42\n" in said[-80:], said)
    put("x.npz", archive(*((f"a{i}.npy", npy(shape="(25000000,)", data=bytes(10**8))) for i in range(8))))
    said = loaded('w = load("x.npz")\n', "--memory-limit=300", folder=folder)
    check("arrays that are too large together", "memory" in said and "\n42\n" in said[-80:], said)
    for name in ("half its data", "two shapes", "a header of 4 GB", "pickled objects"):
        put("x.npy", BAD[name][0])
        put("x.npz", archive(("x.npy", BAD[name][0])))
        for file in ("x.npy", "x.npz"):
            said = loaded(f'w = load("{file}")\n', folder=folder)
            check(f"{name} at the prompt, {file}", f"error: {file}" in said and BAD[name][1] in said and "\n42\n" in said[-80:], said)
    put("x.npz", archive(("s.npy", npy()), ("session.py", b"n = 20 + 1\n")))
    said = loaded(":restore x.npz\nn\ns\n", folder=folder)
    check("a session that was saved", "21" in said and "[3. 4. 5.]]" in said, said)
    for name, members, expected in FORGED:
        put("x.npz", archive(*members))
        said = loaded(":restore x.npz\n:vars\n", folder=folder)
        check(f"a forged session: {name}", expected in said and ": R." not in said and "\n42\n" in said[-80:], said)
    put("x.npz", archive(("s.npy", npy()), ("session.py", b"n = 20 + 1\nm = n + [\ndef 3:\nk = n + 1\n")))
    said = loaded(":restore x.npz\nn\nk\ns\n", folder=folder)
    check("a session whose definitions do not parse", "x.npz: `m` does not parse, so it is left out" in said and "\n21\n" in said and "\n22\n" in said and said.count("error") == 1, said)
    # Twice as many fields cost twice as much, or little more.
    used = []
    for count in (8000, 16000):
        put("x.npz", archive(("w#tuple.npy", number(count)), *((f"w.{i}.npy", number(i)) for i in range(count)), method=zipfile.ZIP_STORED))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = loaded(f":restore x.npz\nw[{count - 1}]\n", folder=folder)
        used.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        check(f"a session of {count} fields", f"{count - 1}\n" in said, said[-300:])
    check("a session costs what it holds", used[1] < 3 * used[0] + 0.1, used)


def main():
    with tempfile.TemporaryDirectory() as folder:
        def put(name, data):
            with open(os.path.join(folder, name), "wb") as f: f.write(data)
            return name
        text, code, base, least = run(FIXED, "x=2x3:float32:iota", folder=folder)
        if code and "LLVM" in text:
            print("SKIPPED arrays: no LLVM\n0 passed, 0 failed, 1 skipped")
            return False
        for name, (data, said, expected) in BAD.items():
            put("x.npy", data)
            text, code, _, _ = run(FIXED, "x=@x.npy", folder=folder)
            check(name, said in text and code == expected and text.count("\n") == 1, (code, text))
            if name not in ("half its data", "two shapes", "another rank", "a header of 4 GB"): continue
            put("x.npz", archive(("x.npy", data)))
            text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
            check(name + ", in an archive", said in text and code == expected, (code, text))
        for name, data in GOOD.items():
            put("x.npy", data)
            text, code, _, _ = run(FIXED, "x=@x.npy", folder=folder)
            check(name, code == 0 and text.startswith("[[ 0.  2.  4.]\n [ 6.  8. 10.]]"), (code, text))

        # 4 GB of zeros in 4 MB: the head is compared before anything is inflated; where it could fit, the memory limit counts.
        zeros = [npy(shape="(1000000000,)", data=b"")] + [bytes(10**7)] * 400
        put("bomb.npz", archive(("x.npy", zeros)))
        most = 3 * least + inflating(4 * 10**9) / 3  # of CPU, where it is not inflated
        text, code, peak, cpu = run(FIXED, "--inputs", "bomb.npz", folder=folder)
        check("a bomb of another rank", code == 1 and "expected 2" in text and peak < base + 40 and cpu < most, (code, text, peak, cpu, most))
        text, code, peak, cpu = run(FREE, "--inputs", "bomb.npz", "--memory-limit", "300", folder=folder)
        check("a bomb and a limit", code == 2 and "no memory" in text and peak < base + 340, (code, text, peak, cpu))
        text, code, peak, cpu = run(FREE, "--inputs", "bomb.npz", "--time-limit", "1", "--memory-limit", "0", folder=folder)
        check("a bomb takes no longer than the limit", code == 1 and "stopped after 1 seconds" in text, (code, text))
        text, code, peak, cpu = run(FIXED, "x=2x3:float32:ones", "--inputs", "bomb.npz", folder=folder)
        places(put, folder)
        sessions(put, folder)
        check("an array that nobody asks for is not read", code == 0 and peak < base + 40 and cpu < most, (code, text, peak, cpu, most))

        # Archives that are damaged.
        whole = archive(("x.npy", npy()), method=zipfile.ZIP_STORED)
        at = whole.index(struct.pack("<f", 5))
        put("x.npz", whole[:at] + b"\xff" + whole[at + 1:])
        text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
        check("a wrong checksum", code == 2 and "damaged" in text, (code, text))
        put("x.npz", whole[:-30])
        text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
        check("half an archive", code == 2 and "x.npz" in text, (code, text))
        put("x.npz", archive(("x.npy", npy() + b"more")))
        text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
        check("bytes behind the elements", code == 2 and "goes on behind its elements" in text, (code, text))
        put("x.npz", archive(("x.npy", npy()), ("x", npy())))
        text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
        check("a name that comes twice", code == 2 and "two arrays of the name x" in text, (code, text))
        put("x.npz", b"PK\x05\x06" + bytes(18))
        text, code, _, _ = run(FIXED, "--inputs", "x.npz", folder=folder)
        check("an archive without arrays", code == 2 and "parameter x has no value" in text, (code, text))
        os.mkfifo(os.path.join(folder, "pipe.npy"))
        text, code, _, _ = run(FIXED, "x=@pipe.npy", "--time-limit", "1", folder=folder)
        check("a pipe that nobody writes to", code == 1 and "stopped after 1 seconds" in text, (code, text))

        os.mkdir(os.path.join(folder, "arrays"))
        os.mkfifo(os.path.join(folder, "arrays", "000.npy"))
        text, code, _, _ = run(FIXED, "--inputs", "arrays", "--time-limit", "5", folder=folder)
        check("a pipe in a folder of arrays", code == 2 and "000.npy: is not a regular file" in text, (code, text))
        os.mkdir(os.path.join(folder, "linked"))
        put("there.npy", npy())
        os.symlink("../there.npy", os.path.join(folder, "linked", "000.npy"))
        text, code, _, _ = run(FIXED, "--inputs", "linked", folder=folder)
        check("a link in a folder of arrays", code == 0 and text.startswith("[[ 0.  2.  4.]"), (code, text))

        # Parameters that are no tensors of Relax.
        put("a.npy", npy(shape="(5,)", data=bytes(20)))
        text, code, _, _ = run(KERNEL, "A=@a.npy", "B=4:float32:zeros", folder=folder)
        check("a PrimFunc's buffer", code == 1 and "dimension 0 is 5, expected 4" in text, (code, text))
        put("s.npy", npy(shape="(65,)", data=bytes(65 * 8), descr="'<i8'"))
        text, code, _, _ = run(SHAPED, "s=@s.npy", "p=1", folder=folder)
        check("a shape of 65 lengths", code == 1 and "at most 64 lengths" in text, (code, text))
        put("p.npy", npy(shape="(2,)", data=bytes(16), descr="'<i8'"))
        text, code, _, _ = run(SHAPED, "s=[2, 3]", "p=@p.npy", folder=folder)
        check("a number of two elements", code == 1 and "one element" in text, (code, text))
        check("a file cut short while its tensors are in use", *cut_short(folder))
    return report()


if __name__ == "__main__":
    sys.exit(main())
