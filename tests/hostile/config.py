"""Configurations that a repository could hold: what is no regular file of the right name is left alone, many mistakes cost little."""
import os, resource, subprocess, sys, tempfile

from common import HANG, RLX, check, report


MANY = {"tables": lambda n: "".join(f"[a{i}]\nx = 1\n" for i in range(n)),
        "keys": lambda n: "".join(f"a{i} = 1\n" for i in range(n)),
        "selectors": lambda n: "select = [\n" + "".join(f'  "RLX{i + 10000}",\n' for i in range(n)) + "]\n"}


def rlx_check(folder):
    return subprocess.run([RLX, "check", "a.py"], cwd=folder, capture_output=True, text=True, timeout=HANG, stdin=subprocess.PIPE)


def seconds(folder, text):
    """CPU time of a check under this configuration, which must say something of it."""
    with open(os.path.join(folder, "rlx.toml"), "w") as f:
        f.write(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = rlx_check(folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    check("its end", done.returncode in (0, 1, 2) and len(done.stdout + done.stderr) < 1 << 20, done.returncode)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def many_mistakes(folder, name):
    """Eight times the mistakes cost less than 24 times as much: where each is compared with all others, it is 64 times. Looked at in
    rounds, since other work on the machine slows both, but not always alike."""
    few = many = float("inf")
    for _ in range(10):
        few, many = min(few, seconds(folder, MANY[name](5000))), min(many, seconds(folder, MANY[name](40000)))
        if many <= few * 24: break
    check(f"many {name}", many <= few * 24, (few, many))


def long_line(folder):
    """Mistakes in a line of a megabyte are each shown with what is around them."""
    with open(os.path.join(folder, "rlx.toml"), "w") as f:
        f.write("select = [" + ", ".join(f'"RLX{i + 10000}"' for i in range(90000)) + "]\n")
    done = rlx_check(folder)
    lines = (done.stdout + done.stderr).splitlines()
    check("a long line is cut", "RLX10099" in done.stderr and max(map(len, lines)) < 500 and len(lines) < 600, (len(lines), max(map(len, lines))))
    check("what is marked is shown", "…" in done.stderr and any(line.endswith('"RLX10050"') or '"RLX10050"' in line for line in lines), [line[:200] for line in lines[-8:]])


def long_name(folder):
    """A name of a megabyte is quoted with its beginning."""
    for key, value in (("select", '["' + "x" * (1 << 20) + '"]'), ("dialect", '"' + "x" * (1 << 20) + '"'), ("x" * (1 << 20), "1")):
        with open(os.path.join(folder, "rlx.toml"), "w") as f: f.write(f"{key} = {value}\n")
        done = rlx_check(folder)
        check(f"a long name in {key[:9]}", "xxx" in done.stderr and len(done.stdout + done.stderr) < 10000, len(done.stdout + done.stderr))


def main():
    with tempfile.TemporaryDirectory() as top:
        folder, config = os.path.join(top, "repository"), os.path.join(top, "repository", "rlx.toml")
        os.mkdir(folder)
        with open(os.path.join(folder, "a.py"), "w") as f:
            f.write("x = 1\n")
        with open(os.path.join(top, "other.txt"), "w") as f:
            f.write("hidden words = [\n")
        os.mkfifo(os.path.join(top, "pipe"))
        for target in ("/dev/zero", os.path.join(top, "pipe"), os.path.join(top, "other.txt"), top):
            os.symlink(target, config)
            done = rlx_check(folder)
            check(f"a link to {os.path.basename(target)}", done.returncode == 0 and "hidden" not in done.stdout + done.stderr, done)
            os.remove(config)
        os.mkfifo(config)
        check("a pipe", rlx_check(folder).returncode == 0)
        os.remove(config)
        os.mkdir(os.path.join(top, "shared"))
        with open(os.path.join(top, "shared", "rlx.toml"), "w") as f:
            f.write("unheard-of = 1\n")
        os.symlink(os.path.join(top, "shared", "rlx.toml"), config)
        done = rlx_check(folder)
        check("a shared configuration", "unheard-of" in done.stdout + done.stderr, done)
        os.remove(config)
        for name in MANY: many_mistakes(folder, name)
        long_line(folder)
        long_name(folder)
    return report()


if __name__ == "__main__":
    sys.exit(main())
