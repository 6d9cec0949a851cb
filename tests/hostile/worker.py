"""What the worker of `rlx run` may do: which C functions a script reaches, limits, and that it ends with its parent."""
import json, os, signal, subprocess, sys, tempfile, time

from common import HANG, RLX, check, preloading, report

SCRIPT = os.path.abspath("tests/hostile/externs.py")


def run(*args, folder):
    return subprocess.run([RLX, "run", *args], cwd=folder, capture_output=True, text=True, timeout=HANG)


def status(pid):
    try:
        with open(f"/proc/{pid}/status") as f:
            return dict(line.split(":", 1) for line in f.read().splitlines() if ":" in line)
    except OSError:
        return None


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(c) for c in f.read().split()]


def until(question):
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.02)
    return None


def limits_of(pid):
    """The soft limits of a process, by the names that /proc has for them."""
    with open(f"/proc/{pid}/limits") as f:
        return {line[:25].strip(): line[26:].split()[0] for line in f}


def interrupted_late(folder):
    """A Ctrl-C that comes between the look whether one came and the wait for the worker ends an evaluation that would not end, and that
    alone."""
    library = os.path.join(folder, "late.so")
    made = subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", library, os.path.abspath("tests/hostile/late.c"), "-ldl"])
    if made.returncode or "san" in os.path.basename(os.path.dirname(RLX)):
        return print("skipped: a preloaded library cannot be had here")
    for command in ("{}", ":trace {}", ":time {}"):
        entry = f":load {SCRIPT}\n" + command.format('M.endless(R.zeros((1,), "float32"), R.zeros((1,), "float32"))') + "\n40 + 2\n"
        done = subprocess.run([RLX, "repl", "--isolated", "--keep-going"], cwd=folder, input=entry, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=HANG, env={**os.environ, **preloading(library)})
        check(f"a late Ctrl-C, {command}", "interrupted" in done.stdout and "\n42\n" in done.stdout, done)


def standing(folder):
    """The worker that stays in the REPL: confined as any other, replaced when it dies, gone with its parent, and out of reach of what a
    script runs."""
    shared = "/dev/zero (deleted)"  # memory that a process shares with its children
    parent = subprocess.Popen([RLX, "repl", "--isolated", "--keep-going"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(entry):
        parent.stdin.write(entry + "\n")
        parent.stdin.flush()
        return [parent.stdout.readline().strip() for _ in range(2)][0]

    first = answer("R.add(R.const([1.0, 2.0]), R.const([1.0, 2.0]))")
    found = until(lambda: children(parent.pid))
    second = answer("R.add(R.const([1.0, 2.0]), R.const([3.0, 2.0]))")
    check("a worker stays", first == "[2. 4.]" and second == "[4. 4.]" and children(parent.pid) == found, (first, second, found))
    worker = found[0]
    check("what stays leads its group", os.getpgid(worker) == worker)
    check("what stays is confined", status(worker).get("Seccomp", "2").strip() == "2" and limits_of(worker)["Max cpu time"] == "3600"
          and limits_of(worker)["Max address space"] != "unlimited", limits_of(worker))
    os.kill(worker, signal.SIGKILL)
    third = answer("R.add(R.const([1.0, 2.0]), R.const([5.0, 2.0]))")
    fourth = answer("R.add(R.const([1.0, 2.0]), R.const([6.0, 2.0]))")
    worker = children(parent.pid)[0]
    check("another takes its place", third == "[6. 4.]" and fourth == "[7. 4.]" and worker != found[0], (third, fourth))
    parent.stdin.write(f':load {SCRIPT}\nM.endless(R.zeros((1,), "float32"), R.zeros((1,), "float32"))\n')
    parent.stdin.flush()
    other = until(lambda: [c for c in children(parent.pid) if c != worker])[0]
    until(lambda: os.getpgid(other) == other)
    with open(f"/proc/{worker}/maps") as a, open(f"/proc/{other}/maps") as b:
        check("a script has none of its memory", shared in a.read() and shared not in b.read())
    parent.kill()
    parent.wait()
    check("what stays ends with its parent", until(lambda: status(worker) is None or status(worker)["State"].strip()[0] in "ZX"))


def asked_only(folder):
    """The kernel of a notebook evaluates cells that are run: questions about one begin no process, write nothing, and end at once."""
    call = 'M.endless(R.zeros((1,), "float32"), R.zeros((1,), "float32"))'
    cells = [call, f"x = {call}\nx.", f"if {call}:\n    y = 1\ny", f"[1, 2][{call}].", f":time {call}", f"R.add({call}, ", f"n = int({call})\nR.zeros((n,", "!touch written",
             ":save written", ":graph written.svg M", f'load("{folder}/none.npz").']
    kernel = subprocess.Popen([RLX, "kernel", "--isolated"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(method, code):
        kernel.stdin.write(json.dumps({"id": 1, "method": method, "code": code, "cursor": len(code)}) + "\n")
        kernel.stdin.flush()
        return json.loads(kernel.stdout.readline())
    before = set(os.listdir(folder))
    ask("execute", f":load {SCRIPT}")
    started = [(method, cell) for cell in cells for method in ("complete", "inspect", "is_complete") if "id" not in ask(method, cell) or children(kernel.pid)]
    said = ask("execute", "!touch written")
    kernel.kill()
    kernel.wait()
    check("questions about a cell evaluate nothing", not started, started)
    check("a notebook runs no commands of the system", set(os.listdir(folder)) == before, (os.listdir(folder), said))


def main():
    with tempfile.TemporaryDirectory() as folder:
        done = run(SCRIPT + "::numbers", "B=4:float32:ones", folder=folder)
        if "LLVM" in done.stderr and done.returncode:
            print("SKIPPED worker: no LLVM\n0 passed, 0 failed, 1 skipped")
            return False
        check("a function of math.h runs", done.returncode == 0 and "[3. 3. 3. 3.]" in done.stdout, done)
        for function, name in (("programs", "system"), ("children", "fork")):
            done = run(f"{SCRIPT}::{function}", "B=4:float32:ones", folder=folder)
            check(f"{name} is refused", done.returncode == 1 and f"--allow-extern={name}" in done.stderr, done)
        check("nothing was started", os.listdir(folder) == [])
        with open(os.path.join(folder, "rlx.toml"), "w") as f:
            f.write('allow-extern = ["system"]\n')
        with open(os.path.join(folder, "copy.py"), "w") as to, open(SCRIPT) as script:
            to.write(script.read())
        run("copy.py::programs", "B=4:float32:ones", folder=folder)
        check("a repository allows nothing", not os.path.exists(os.path.join(folder, "started")))
        done = run("--allow-extern=system", SCRIPT + "::programs", "B=4:float32:ones", folder=folder)
        check("the command line does", done.returncode == 0 and os.path.exists(os.path.join(folder, "started")), done)

        endless = [SCRIPT + "::endless", "A=[0.5]", "B=[0]"]
        for flags, filtered in (([], "2"), (["--no-sandbox"], "0")):
            parent = subprocess.Popen([RLX, "run", *flags, *endless], cwd=folder, stderr=subprocess.DEVNULL)
            found = until(lambda: children(parent.pid))
            worker = found[0] if found else 0
            until(lambda: os.getpgid(worker) == worker)
            check("the worker leads its group", worker and os.getpgid(worker) == worker)
            if "Seccomp" in status(worker):  # a kernel without it has no such line
                check(f"seccomp with {flags}", until(lambda: status(worker)["Seccomp"].strip() == filtered), status(worker)["Seccomp"])
            until(lambda: limits_of(worker)["Max address space"] != "unlimited")  # on a busy machine it sets them a while later
            limits = limits_of(worker)
            check("CPU limit", limits["Max cpu time"] == "3600", limits)
            check("memory limit", limits["Max address space"] != "unlimited", limits)
            os.kill(parent.pid, signal.SIGKILL)
            parent.wait()
            check("the worker ends with its parent",
                  until(lambda: status(worker) is None or status(worker)["State"].strip()[0] in "ZX"))
        interrupted_late(folder)
        standing(folder)
        asked_only(folder)
        done = run("--time-limit=1", *endless, folder=folder)
        check("a limit that is given", done.returncode == 1 and "stopped after 1 seconds" in done.stderr, done)
    return report()


if __name__ == "__main__":
    sys.exit(main())
