"""Conversations with the REPL at a pseudo-terminal: what is typed, and what must appear then, in this order. A key of two
characters that begins with ^ is a control key; text is matched after the terminal's control sequences are taken out, but
for those that a pattern begins with."""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import tempfile
import termios
import time

import waits

FUNCTION = """@T.prim_func(s_tir=True)
def rows(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64,), "float32")):
    for i, k in T.grid(64, 64):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]

"""
OPEN = [(":sched rows\r", 'block "sum"'), ("", "sched rows> ")]
CASES = {
    "a primitive is completed": OPEN + [("sch.spl\t", ""), ('("i", fac\t', ""), ("[None, 8])\r", "i_0 in 8")],
    "a block is completed inside quotes": OPEN + [('x = sch.get_loops("s\t', ""), (")\r", "sched rows> "), (":trace\r", 'x = sch.get_loops("sum")')],
    "what a step gave is completed": OPEN + [('outer, inner = sch.get_loops("sum")\r', "sched rows> "), ("sch.unroll(inn\t", ""), (")\r", "unrolled")],
    "a tree where a line has 30 columns": {"keys": OPEN + [(":tree\r", 'block "sum"  S vi = i,\r\n             R vk = k  with init\r\n'), ("", "rows> ")], "size": (40, 30)},
    "words are completed": OPEN + [(":tra\t\r", "sched rows> ")],
    "what changed is coloured": OPEN + [('sch.unroll("k")\r', "\033[32m●"), ("", "unrolled")],
    "a refusal, an undo, a redo": OPEN + [('sch.parallel("k")\r', "error[RLX0709]"), (":why\r", "rule RLX0709"), ('sch.parallel("i")\r', "i in 64  parallel"),
                                          (":undo\r", "for i in 64"), (":redo\r", "i in 64  parallel")],
    "Ctrl-C drops the line, not the schedule": OPEN + [('sch.unroll("k")\r', "unrolled"), ("", "sched rows> "), ("sch.split(", "sch.split("), ("^C", "sched rows> "), (":trace\r", 'sch.unroll("k")')],
    "Ctrl-D leaves the schedule first": OPEN + [("^D", "rlx> "), (":funcs\r", "rows  # PrimFunc")],
    "a pasted trace, calls over several lines and a comment": OPEN + [
        ("\033[200~# from a script\ni, k = sch.get_loops(\"sum\")\nk0, k1 = sch.split(\n    loop=k,\n    factors=[None, 8],\n)\nsch.unroll(k1)\n\033[201~\r", "k_1 in 8  unrolled"),
        (":trace\r", "k0, k1 = sch.split(k, [None, 8])"), ("", "sch.unroll(k1)"), (":diff\r", "-    for i, k in T.grid(64, 64):"), (":done\r", "rows_scheduled is the scheduled rows"), ("", "rlx> ")],
    "words with what they do not take": OPEN + [(":undo all\r", ":undo takes a number of steps"), (":tune abc\r", "error: :tune takes seconds"), (":time soon\r", "error: :time takes sizes")],
    "Ctrl-C ends a search with the best so far": OPEN + [(":tune 60\r", "best"), ("^C", "sched rows> "), (":time\r", "times as fast"), (":quit\r", "rlx> ")],
}


def talk(rlx, case):
    """None, or what was not seen. A case is a list of (keys, pattern), or a dict of its `keys`, the `env` and `args` of the program, the `size` of the
    terminal (rows, columns), the `shell` script that begins it and `never`, what must not appear at all."""
    how = case if isinstance(case, dict) else {"keys": case}
    case, never = how["keys"], how.get("never")
    home = tempfile.mkdtemp()
    for name, text in how.get("files", {}).items():
        pathlib.Path(home, name).write_text(text)

    def start():
        pid, fd = pty.fork()
        if pid == 0:
            env = {"TERM": "xterm", "EDITOR": "no-such-editor", "HOME": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
            os.chdir(home)
            rows, columns = how.get("size", (0, 0))
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            if how.get("shell"):  # a script of a shell with jobs, which starts "$0"
                os.execve("/bin/sh", ["/bin/sh", "-c", "set -m\n" + how["shell"], rlx], env | how.get("env", {}))
            os.execve(rlx, [rlx, "repl", *how.get("args", [])], env | how.get("env", {}))
        return pid, fd

    def stop():
        os.kill(pid, signal.SIGKILL)
        os.close(fd)
        os.waitpid(pid, 0)

    pid, fd = start()
    seen = whole = ""

    def wait(pattern):
        nonlocal seen, whole
        while True:
            plain = seen if pattern.startswith("\033") else re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", seen)
            at = plain.find(pattern)
            if at >= 0:
                seen = plain[at + len(pattern):]
                return True
            if not waits.readable(fd, pid):
                return False
            try:
                data = os.read(fd, 65536)
            except OSError:
                return False
            seen += data.decode("utf-8", "replace")
            whole += data.decode("utf-8", "replace")

    try:
        # each prompt is waited for, so that no step takes the prompt of the one before for its own
        for keys, pattern in [("", "rlx> "), ("\033[200~" + FUNCTION + "\033[201~\r", "\r\nrlx> ")] + case:
            if keys.startswith(("write:", "rename:")):  # no keys: a file in the folder of the conversation, written there or put in its place
                how, name, text = keys.split(":", 2)
                path = pathlib.Path(home, name)
                written = path if how == "write" else path.with_suffix(".new")
                written.write_text(text)
                written.rename(path)
                keys = ""
            if keys == "killed, and begun again":
                stop()
                pid, fd = start()
                seen = keys = ""
            if keys == "once it runs":  # while a line is edited the terminal hands over key by key
                end = time.monotonic() + waits.LIMIT
                while not termios.tcgetattr(fd)[3] & termios.ICANON and time.monotonic() < end:
                    time.sleep(0.01)
                keys = ""
            if keys.startswith("size:"):  # no keys: another size of the terminal
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *map(int, keys.split(":")[1:]), 0, 0))
                keys = ""
            if len(keys) == 2 and keys[0] == "^":
                keys = chr(ord(keys[1]) - 64)
            os.write(fd, keys.encode())
            if not wait(pattern):
                return f"{keys!r} was not answered with {pattern!r} but with {seen[-400:]!r}"
        return f"{never!r} was seen in {whole[-400:]!r}" if never and never in whole else None
    finally:
        stop()
