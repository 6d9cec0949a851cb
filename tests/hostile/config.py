"""Configurations that a repository could hold: what is no regular file of the right name is left alone, many mistakes cost little."""
import os, resource, subprocess, sys, tempfile

from common import HANG, RLX, check, report


def rlx_check(folder):
    limit = 20 if "asan" in RLX else 2
    return subprocess.run([RLX, "check", "a.py"], cwd=folder, capture_output=True, text=True, timeout=HANG, stdin=subprocess.PIPE,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))


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
        for name, text in (("tables", "".join(f"[a{i}]\nx = 1\n" for i in range(40000))),
                           ("keys", "".join(f"a{i} = 1\n" for i in range(40000))),
                           ("selectors", "select = [\n" + "".join(f'  "RLX{i + 10000}",\n' for i in range(10000)) + "]\n")):
            with open(config, "w") as f:
                f.write(text)
            done = rlx_check(folder)
            check(f"many {name}", done.returncode in (0, 1, 2) and len(done.stdout + done.stderr) < 1 << 20, done.returncode)
    return report()


if __name__ == "__main__":
    sys.exit(main())
