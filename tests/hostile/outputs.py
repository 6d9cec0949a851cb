"""What a repository's names and texts do to who reads the output: no escape of a terminal, no line of their own (which a CI system would
take for a command), no turned letters, no byte that breaks the format."""
import json
import os
import pty
import subprocess
import tempfile
import xml.dom.minidom

from common import RLX, check, report

SCRIPT = '''from tvm.script import relax as R
@R.function
def f(x: R.Tensor((4,), "flo\x1b]0;title\x07at32")):
    y = R.add(x, z\u202e_turned)
    w = R.call_packed("\x1b[31m::error::a%0A", x, sinfo_args=R.Tensor((3,), "\x9b31m"))
    v: R.Tensor((4,), "a]]>&<b\x01\x02\x7f") = R.nosuch(x, "\u2028::warning::b")
    u: R.Tensor((5,), "float32") = x
    return R.add(x, "\\x1b[2J\\n::error::c")
'''.encode()
# Configurations of a repository: strings whose escapes TOML reads, and bytes that it does not allow.
HOSTILE = r"\u001b[2J\n::error::\u202e\u009b31m\u2028::warning::"
CONFIGURATIONS = [text.replace("@", HOSTILE) for text in (
    'select = "@"', 'ignore = ["RLX0201", "@"]', 'dialect = "@"', '"@" = 1', '["@"]\nx = 1', 'cache-dir = "../@"', 'fail-on = "@"',
    'exclude = ["@"]\ndialect = "@"', '[per-file-ignores]\n"@" = ["@"]', '[severity]\n"@" = "@"', '[severity]\nRLX0201 = "@"')]
CONFIGURATIONS += [f'select = "RLX{c}0001"' for c in ("\x1b[2J", "\u202e", "\x9b31m", "\u2028::error::", "\r::error::")]
# Traces that a repository could hold: what stands in them as code, and as text.
TRACES = [json.dumps({"steps": [{"primitive": "get_block", "target": "b", "args": {"name": "B"}}, step]}) for odd in ("\x1b[2J\n::error::", "\u202e", "x\x9b31m") for step in (
    {"primitive": odd}, {"primitive": "get_loops", "target": odd, "args": {"block": {"kind": "variable", "name": "b"}}},
    {"primitive": "get_loops", "args": {"block": {"kind": "variable", "name": odd}}}, {"primitive": "get_loops", "args": {"block": {"kind": "variable", "name": odd, "item": 0}}},
    {"primitive": "get_loops", "args": {odd: 1}}, {"primitive": "get_loops", "args": {"block": odd}}, {"primitive": "get_loops", "args": {"block": ["B", odd, 0]}},
    {"primitive": "get_loops", "args": {"block": {"kind": "block", "name": odd, "func": odd}}}, {"primitive": "unroll", "args": {"loop": {"kind": "loop", "var": odd, "block": odd}}},
    {"primitive": "transform_layout", "args": {"block": ["B", "B", 0], "buffer": {"kind": "buffer", "name": odd}, "index_map": {"kind": "index_map", "text": odd}}},
    {"primitive": "transform_layout", "args": {"index_map": {"kind": "ranges_fn", "params": [odd], "ranges": [odd]}}},
    {"primitive": "annotate", "args": {"block_or_loop": {"kind": "variable", "name": "b"}, "ann_key": odd, "ann_val": {odd: odd}}},
    {"primitive": "tensorize", "args": {"tensor_intrin": odd}, "intrin": {"desc": odd, "impl": odd}})]
# Strings whose escapes Python reads: what they stand for must not be carried out either.
PRIMFUNC = r'''from tvm.script import ir as I, relax as R, tir as T
@I.ir_module
class M:
    @T.prim_func
    def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
        T.func_attr({"a\x1b[2Jb\n::error::k": "c\x1b]0;t\x07\u202e"})
        C = T.alloc_buffer((8, 8), "float32", scope="lo\x1b[31mcal\n::error::s")
        for i, j in T.grid(8, 8):
            with T.block("B\x1b[2J\n::error::blk\u202e"):
                v, w = T.axis.remap("SS", [i, j])
                C[v, w] = A[v, w] * T.float32(2)
        for i, j in T.grid(8, 8):
            with T.block("D\x9b31m\r::error::"):
                v, w = T.axis.remap("SS", [i, j])
                B[v, w] = C[v, w] + T.call_extern("float32", "f\x1b[31m\n::error::", A[v, w])
    @R.function
    def text(x: R.Tensor((2,), "float32")):
        return R.str("\x1b[2J\n::error::r")
'''
ENTRIES = (r''':load p.py
x = "a\x1b[2J\n::error::b\u202e"
x
(x, x)
["\x1b]0;t\x07"]
load("\x1b[2J\n::error::.npy")
R.foo("\x1b")
assert 1 == 2, "\x1b[2J\n::error::"
:print f
:tir f
:sched f
compute_inline("B\x1b[2J\n::error::blk\u202e")
get_block("\x1b[31m\n::error::")
:done
''' + "\x1b[31m\nfoo\u202e_bar\n:\x1b[2J\n:help \x1b\n:sched \x1b[2J\n:set \x1b \x1b\nx.\x1b\n:load \x1b[2J.py\n:save /nowhere\x1b/\x1b\n").encode()
NAMES = [b"a\n::error file=x::y.py", b"b\x1b[31m.py", b"c\"<&]]>'.py", b"d%0A%25.py", b"e\x07\x9b.py", b"f,g:h.py", "\u202eturned.py".encode(), b"-x.py",
         "\u2066\u2028k.py".encode(), b"l\r::notice::m.py"]
TURNING = [c.encode() for c in "\u202e\u2066\u2028\x9b"]
COMMANDS = [["check", "--format=" + f] for f in ("text", "concise", "json", "sarif", "github", "gitlab", "junit")] + [["infer"], ["outline"], ["normalize", "--check"]]


def shown(text):
    """What is wrong with a text that people and machines read by lines."""
    controls = sorted({b for b in text if (b < 32 and b not in (9, 10)) or b == 127})
    wrong = [f"control bytes {controls}"] if controls else []
    wrong += [f"{mark!r}" for mark in TURNING if mark in text]
    try:
        text.decode()
    except UnicodeDecodeError as error:
        wrong.append(f"no UTF-8: {error}")
    return wrong


def reads(kind, text):
    try:
        if kind in ("json", "sarif", "gitlab"):
            json.loads(text.decode())
        if kind == "junit":
            xml.dom.minidom.parseString(text)
    except Exception as error:  # whatever a reader says
        return f"{error!r}: {text[:200]!r}"
    return ""


with tempfile.TemporaryDirectory() as folder:
    for name in NAMES:
        with open(os.path.join(os.fsencode(folder), name), "wb") as f:
            f.write(SCRIPT)
    for name in NAMES:
        for command in COMMANDS:
            kind = command[-1].rpartition("=")[2] if command[0] == "check" else command[0]
            args = command + ["--no-cache"] * (command[0] == "check") + ["--"]
            done = subprocess.run([RLX, *args, name], cwd=folder, capture_output=True, timeout=300)
            where = f"{' '.join(command)} of {name!r}"
            check(f"{where}: it ends", done.returncode in (0, 1, 2), done.returncode)
            check(f"{where}: the format holds", not reads(kind, done.stdout), reads(kind, done.stdout))
            for stream, text in (("output", done.stdout), ("errors", done.stderr)):
                is_data = kind in ("json", "sarif", "gitlab") and stream == "output"  # where characters are escaped, or letters
                check(f"{where}: {stream} can be shown", is_data or not shown(text), shown(text))
                own = kind == "github" and stream == "output"
                lines = [line for line in text.split(b"\n") if line.lstrip().startswith(b"::")]
                check(f"{where}: {stream} have no commands", own or not lines, lines[:2])
            if kind == "github":
                lines = [line for line in done.stdout.split(b"\n") if line]
                check(f"{where}: each line is a command of ours", lines and all(b",title=RLX" in line for line in lines), lines[:2])
    missing = subprocess.run([RLX, "check", b"no\n::error::such\x1b[2J.py"], cwd=folder, capture_output=True, timeout=300)
    check("a file that is not there", missing.returncode == 2 and b"\n::" not in missing.stderr and b"\x1b" not in missing.stderr, missing.stderr)


def looked_at(args, folder):
    """What a person at a terminal sees of a command's output."""
    ours, its = pty.openpty()
    with subprocess.Popen([RLX, *args], cwd=folder, stdin=subprocess.DEVNULL, stdout=its, stderr=its) as process:
        os.close(its)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # all of it was read, and nobody writes any more
                break
            if not part:
                break
            seen += part
        os.close(ours)
        return process.wait(), seen.replace(b"\r\n", b"\n")


with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "a.py"), "w") as f:
        f.write("x = 1\n")
    for text in CONFIGURATIONS:
        with open(os.path.join(folder, "rlx.toml"), "wb") as f:
            f.write(text.encode() + b"\n")
        for command in (["check", "a.py"], ["check", "--format=github", "a.py"], ["check", "--show-settings", "."], ["tir", "a.py"], ["repl"]):
            done = subprocess.run([RLX, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            said = done.stdout + done.stderr
            lines = [line for line in said.split(b"\n") if line.lstrip().startswith(b"::") and not line.startswith(b"::error title=rlx check::")]
            check(f"{command!r} with {text!r}: it can be shown", not shown(said) and not lines, (shown(said), lines[:2]))
            check(f"{command!r} with {text!r}: something is said", command[0] == "repl" or b"rlx" in said.lower(), done)

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "p.py"), "w") as f:
        f.write(PRIMFUNC)
    with open(os.path.join(folder, "s.py"), "wb") as f:
        f.write(SCRIPT.replace(b"R.nosuch(x, ", b"R.add(R.add(x, x), "))
    with open(os.path.join(folder, "x.py"), "wb") as f:
        f.write(b'from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    return x  # \x1b[2J # rlx: ignore[axis-repeate]\n')
    with open(os.path.join(folder, "m.py"), "w") as f:
        f.write(PRIMFUNC.replace(r"B\x1b[2J\n::error::blk\u202e", "B"))
    for trace in TRACES:
        done = subprocess.run([RLX, "schedule", "--no-text", "--save=saved.py", "m.py", "-"], cwd=folder, input=trace.encode(), capture_output=True, timeout=300)
        said = done.stdout + done.stderr
        lines = [line for line in said.split(b"\n") if line.lstrip().startswith(b"::")]
        check(f"schedule with {trace}: it can be shown", done.returncode in (0, 1, 2) and said and not shown(said) and not lines, (shown(said), said[:300]))
    for command in (["tir", "p.py"], ["tir", "--verbose", "--moves", "p.py"], ["print", "p.py"], ["infer", "p.py"], ["run", "p.py::text", "x=2:float32:zeros"],
                    ["explain", "\x1b[31m\n::error::"], ["prove", "n \x1b[31m\n::error::"], ["\x1b[2J\n::error::"], ["help", "\x1b[2J\n::error::"], ["repl"]):
        done = subprocess.run([RLX, *command], cwd=folder, capture_output=True, timeout=300, input=ENTRIES if command == ["repl"] else b"")
        for stream, text in (("output", done.stdout), ("errors", done.stderr)):
            lines = [line for line in text.split(b"\n") if line.lstrip().startswith(b"::")]
            check(f"{command!r}: {stream} can be shown", not shown(text) and not lines, (shown(text), lines[:2]))
        check(f"{command!r}: something is said", done.stdout + done.stderr)
    for command in (["normalize", "s.py"], ["normalize", "--diff", "s.py"], ["check", "--fix", "--diff", "--no-cache", "x.py"], ["migrate", "--to=0.27", "p.py"]):
        code, seen = looked_at([*command, "--color=never"] if command[0] == "check" else command, folder)
        check(f"{command!r} at a terminal: it can be shown", code in (0, 1) and seen and not shown(seen), (code, shown(seen), seen[:200]))
        piped = subprocess.run([RLX, *command], cwd=folder, capture_output=True, timeout=300).stdout
        check(f"{command!r} into a pipe: the text is as it is", command[0] == "migrate" or b"\x1b" in piped, piped[:200])

with tempfile.TemporaryDirectory() as folder:  # a baseline is JSON, in which no name is anything but UTF-8
    for name in (b"plain.py", b"\xff\xfe.py", b"d\xe9p\xf4t.py", b"a\xf0\x9f.py", b"new\nline \xed\xa0\x80.py"):
        with open(os.path.join(os.fsencode(folder), name), "wb") as f:
            f.write(SCRIPT)
    known = ["check", "--no-cache", "--baseline=known.json"]
    first = subprocess.run([RLX, *known, "--write-baseline", "."], cwd=folder, capture_output=True, timeout=300)
    again = subprocess.run([RLX, *known, "--format=concise", "."], cwd=folder, capture_output=True, timeout=300)
    check("a baseline knows files whose names are not UTF-8", first.returncode == 0 and again.returncode == 0 and b"RLX" not in again.stdout, again)
    check("and none of it is stale", b"did not come" not in again.stderr, again.stderr)
raise SystemExit(report())
