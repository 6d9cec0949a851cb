"""A machine that fails: disks that are full, folders that cannot be written, calls of the system that signals interrupt. What is
said is clear, what stood in files stays, nothing is left behind; and signals change nothing."""
import os, resource, shutil, signal, subprocess, sys, tempfile, time

from common import HANG, RLX, SCRIPT, check, preloading, report
from kills import COMMANDS as KILLED, SCRIPT as FUNCTIONS
from memory import COMMANDS, SCRIPT as MODULE

HERE = os.path.dirname(os.path.abspath(__file__))
NOBODY = 65534
SHORT = SCRIPT.replace("y = R.add(R.multiply(x, x), x)", "y = R.add(x, x)")
# Those that print, and those that write files: after the option that names one, its name.
PRINTERS = (["check", "--no-cache", "--select=ALL", "--show=hint", "a.py"], ["check", "--no-cache", "--format=json", "a.py"], ["infer", "a.py"],
            ["tir", "a.py"], ["print", "a.py"], ["normalize", "a.py"], ["explain", "RLX0353"], ["run", "a.py::main", "x=4:float32:iota"], ["version"])
WRITERS = (["check", "--no-cache", "--fix", "--unsafe-fixes", "--select=ALL", "--show=hint", "a.py"], ["migrate", "--write", "--to=0.25", "a.py"],
           ["normalize", "--write", "a.py"], ["check", "--no-cache", "--select=ALL", "--show=hint", "--baseline=b.json", "--write-baseline", "a.py"],
           ["check", "a.py"])


def put(path, text):
    with open(path, "w") as f: f.write(text)


def read(path):
    with open(path) as f: return f.read()


def rlx(*args, cwd, stdin=b"", program=RLX, **more):
    return subprocess.run([program, *args], cwd=cwd, input=stdin, stderr=subprocess.PIPE, timeout=HANG, **{"stdout": subprocess.PIPE, **more})


def full_output(folder):
    """Where the output goes there is no room: said, with an exit code of its own."""
    put(f"{folder}/a.py", SCRIPT)
    for command in PRINTERS:
        with open("/dev/full", "wb") as full: done = rlx(*command, cwd=folder, stdout=full)
        check(f"{' '.join(command[:2])} to a full disk", done.returncode not in (0, 1) and done.returncode > 0 and b"No space left" in done.stderr, done)
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":null}}'
    with open("/dev/full", "wb") as full: done = rlx("lsp", cwd=folder, stdin=b"Content-Length: %d\r\n\r\n" % len(body) + body, stdout=full)
    check("a server whose client cannot be told ends", done.returncode >= 0, done)


def closed_streams(folder):
    """A standard stream that is closed when the program starts fails like any other: no file that is opened later takes its place."""
    put(f"{folder}/a.py", SCRIPT)
    def without(*streams): return lambda: [os.close(fd) for fd in streams]
    for command in PRINTERS:
        done = rlx(*command, cwd=folder, stdout=None, preexec_fn=without(1))
        check(f"{' '.join(command[:2])} without standard output", done.returncode not in (0, 1) and b"Bad file descriptor" in done.stderr, done)
    for command in WRITERS:
        fixed = []
        for streams in ((), (0, 1, 2)):
            put(f"{folder}/a.py", SCRIPT)
            done = rlx(*command, cwd=folder, preexec_fn=without(*streams))
            fixed.append({name: read(f"{folder}/{name}") for name in sorted(os.listdir(folder)) if os.path.isfile(f"{folder}/{name}")})
        check(f"{' '.join(command[:2])} without standard streams writes what it writes", done.returncode >= 0 and fixed[0] == fixed[1], (done, fixed))
    hello = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":null}}'
    for streams in ((0,), (1,), (0, 1), (0, 1, 2)):
        done = rlx("lsp", "--log=log.txt", cwd=folder, stdin=b"Content-Length: %d\r\n\r\n%s" % (len(hello), hello), stdout=None, preexec_fn=without(*streams))
        check(f"a server without the streams {streams} ends", done.returncode == 1, done)
        check(f"and its log is a log, {streams}", "Content-Length" not in read(f"{folder}/log.txt"), read(f"{folder}/log.txt"))


def no_room():
    """No file may grow past 64 bytes, as on a disk that has no more: without the signal that ends a program by itself."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


def nobody():
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def writers(top, what, before):
    """Each command that writes where it cannot: the script is as it was, no other file is there. The program is a copy: where the build
    lies, others need not be allowed to go."""
    program = shutil.copy(RLX, os.path.join(top, "rlx"))
    os.chmod(program, 0o755)
    for command in WRITERS:
        name = f"{' '.join(command[:3])}, {what}"
        folder = tempfile.mkdtemp(dir=top)
        put(f"{folder}/a.py", SCRIPT)
        os.chmod(folder, 0o777 if what == "disk full" else 0o555)
        os.chmod(f"{folder}/a.py", 0o666)
        done = rlx(*command, cwd=folder, program=program, preexec_fn=before)
        files = [os.path.relpath(os.path.join(at, f), folder) for at, _, names in os.walk(folder) for f in names]
        kept = [f for f in files if not f.startswith(".rlx")]
        writes = "--no-cache" in command or command[0] != "check"
        check(name, kept == ["a.py"] and read(f"{folder}/a.py") == SCRIPT and (done.returncode == 2 and done.stderr if writes else done.returncode in (0, 1)),
              (files, done))
        os.chmod(folder, 0o777)
        done = rlx(*command, cwd=folder)
        check(f"{name}, and then there is room", done.returncode in (0, 1), done)


def savers(top, what, before):
    """Sessions and traces that write where they cannot, over a file or beside none: it is said, and the folder is as it was."""
    program = shutil.copy(RLX, os.path.join(top, "rlx"))
    os.chmod(program, 0o755)
    for name, command, place, _, typed in KILLED:
        for old in (None, "old") if typed else ():
            folder = tempfile.mkdtemp(dir=top)
            put(f"{folder}/a.py", FUNCTIONS)
            if old: put(f"{folder}/{place}", old)
            os.chmod(folder, 0o777 if what == "disk full" else 0o555)
            done = rlx(*command, cwd=folder, program=program, stdin=typed, preexec_fn=before)
            kept, told = {f: read(f"{folder}/{f}") for f in os.listdir(folder)}, done.stdout + done.stderr
            check(f"{name}, {what}, {old}", kept == {"a.py": FUNCTIONS, **({place: old} if old else {})}, kept.keys())
            check(f"{name}, {what}, {old}: it is said", done.returncode in (1, 2) and (b"error" in told or b"cannot" in told), done)
            os.chmod(folder, 0o777)


def preloaded(top, source):
    """The library that tests/hostile/`source`.c makes."""
    library = os.path.join(top, f"{source}.so")
    made = subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", library, os.path.join(HERE, f"{source}.c")])
    check(f"{source} is made", made.returncode == 0)
    return library


def no_links(top):
    """Where a file that has no name gets none, files are written all the same, and nothing stays beside them."""
    folder = tempfile.mkdtemp(dir=top)
    env = {**os.environ, **preloading(preloaded(top, "nolink"))}
    for command in WRITERS[:3]:
        put(f"{folder}/a.py", SCRIPT)
        rlx(*command, cwd=folder)
        wanted = read(f"{folder}/a.py")
        put(f"{folder}/a.py", SCRIPT)
        done = rlx(*command, cwd=folder, env=env)
        check(f"{command[0]} where files get no name later", read(f"{folder}/a.py") == wanted and os.listdir(folder) == ["a.py"], done)


def slowly(*args, cwd, stdin, env):
    """What it says to input that comes in pieces which end within lines, so that it waits, and is interrupted, between them."""
    run = subprocess.Popen([RLX, *args], cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, bufsize=0)
    step = len(stdin) // 4 + 1
    try:
        for at in range(0, len(stdin), step):
            run.stdin.write(stdin[at:at + step])
            time.sleep(0.05)
    except BrokenPipeError: pass  # it has ended: what it said tells
    return (*run.communicate(timeout=HANG), run.wait())


def storm(top):
    """Under a storm of signals every command says what it says without."""
    library = preloaded(top, "storm")
    folder = tempfile.mkdtemp(dir=top)
    calm, wild = {}, {}
    for said, env in ((calm, {}), (wild, preloading(library))):
        for command in PRINTERS + WRITERS:
            put(f"{folder}/a.py", SCRIPT)
            done = rlx(*command, cwd=folder, env={**os.environ, **env})
            said[" ".join(command)] = (done.returncode, done.stdout, done.stderr, read(f"{folder}/a.py"))
        put(f"{folder}/a.py", MODULE)
        for command in ("repl", "kernel", "schedule"):
            args, typed = COMMANDS[command]
            done = rlx(*args, cwd=folder, stdin=typed, env={**os.environ, **env})
            said[command] = (done.returncode, done.stdout, done.stderr)
        bodies = [b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":null}}',
                  b'{"jsonrpc":"2.0","method":"initialized","params":{}}', b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
                  b'{"jsonrpc":"2.0","method":"exit"}']
        done = rlx("lsp", cwd=folder, stdin=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies), env={**os.environ, **env})
        said["lsp"] = (done.returncode, done.stdout, done.stderr)
        for command in ("repl", "kernel"):
            args, typed = COMMANDS[command]
            said[f"{command} that waits"] = slowly(*args, cwd=folder, stdin=typed, env={**os.environ, **env})
    for name in calm: check(f"{name} under a storm of signals", calm[name] == wild[name], (calm[name], wild[name]))


def main():
    if "san" in os.path.basename(os.path.dirname(RLX)):
        print("skipped: a sanitizer wants files and libraries of its own\n0 passed, 0 failed, 1 skipped")
        return False
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        full_output(tempfile.mkdtemp(dir=top))
        closed_streams(tempfile.mkdtemp(dir=top))
        writers(top, "disk full", no_room)
        writers(top, "read-only", nobody)
        savers(top, "disk full", no_room)
        savers(top, "read-only", nobody)
        no_links(top)
        storm(top)
    return report()


if __name__ == "__main__":
    sys.exit(main())
