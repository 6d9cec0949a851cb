"""What a repository's names and texts do to who reads the output: no escape of a terminal, no line of their own (which a CI system would
take for a command), no turned letters, no byte that breaks the format."""
import json
import os
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
raise SystemExit(report())
