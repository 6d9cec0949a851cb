"""Where rlx writes: never through a link out of the project, never where a project's configuration says; and what the user's own
configuration may say that a project's may not."""
import os, resource, subprocess, sys, tempfile, threading

from common import HANG, RLX, SCRIPT, check, report

# An unused match_cast of a known StructInfo is taken out by --fix; `T.block` is rewritten by migrate; a nested call by normalize.
WRITERS = (["check", "--fix", "--unsafe-fixes", "--select=ALL", "--show=hint"], ["migrate", "--write", "--to=0.25"], ["normalize", "--write"])


def read(path):
    with open(path) as f: return f.read()


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f: f.write(text)


def rlx(*args, cwd, env=None):
    return subprocess.run([RLX, *args], cwd=cwd, capture_output=True, text=True, timeout=HANG, env={**os.environ, **(env or {})})


def links(top):
    """A link in a project to a file outside of it, named, in a folder that is walked, and through a linked folder."""
    outside, project = os.path.join(top, "outside"), os.path.join(top, "project")
    put(f"{outside}/rlx.toml", "")
    for writer in WRITERS:
        name = " ".join(writer[:2])
        put(f"{outside}/a.py", SCRIPT)
        put(f"{project}/own.py", SCRIPT)
        put(f"{project}/sub/other.py", SCRIPT)
        if not os.path.islink(f"{project}/sub/link.py"):
            os.symlink(f"{outside}/a.py", f"{project}/sub/link.py")
            os.symlink("../own.py", f"{project}/sub/inside.py")
        done = rlx(*writer, "sub/link.py", cwd=project)
        check(f"{name} of a link", done.returncode == 2 and "outside of" in done.stderr and read(f"{outside}/a.py") == SCRIPT, done)
        done = rlx(*writer, ".", cwd=project)
        check(f"{name} of a folder with a link", done.returncode == 2 and "outside of" in done.stderr and read(f"{outside}/a.py") == SCRIPT, done)
        check(f"{name} of the others", read(f"{project}/own.py") != SCRIPT and read(f"{project}/sub/other.py") != SCRIPT, done)
        check(f"{name} leaves the link", os.path.islink(f"{project}/sub/link.py"))
        if not os.path.islink(f"{project}/folder"): os.symlink(outside, f"{project}/folder")
        done = rlx(*writer, "folder/a.py", cwd=project)
        check(f"{name} through a linked folder", done.returncode == 2 and read(f"{outside}/a.py") == SCRIPT, done)
        # A link inside the project of a configuration is followed; without one the project is the file's folder.
        put(f"{project}/own.py", SCRIPT)
        done = rlx(*writer, "sub/inside.py", cwd=project)
        check(f"{name} of a link without a project", done.returncode == 2 and read(f"{project}/own.py") == SCRIPT, done)
        put(f"{project}/rlx.toml", "")
        done = rlx(*writer, "sub/inside.py", cwd=project)
        check(f"{name} of a link inside the project", read(f"{project}/own.py") != SCRIPT and os.path.islink(f"{project}/sub/inside.py"), done)
        os.remove(f"{project}/rlx.toml")


def races(top):
    """While a thread exchanges a folder for a link to another, nothing is written there."""
    project, outside = os.path.join(top, "race"), os.path.join(top, "target")
    put(f"{project}/rlx.toml", "")
    put(f"{outside}/a.py", SCRIPT)
    put(f"{project}/real/a.py", SCRIPT)
    os.symlink("real", f"{project}/sub")
    stop = threading.Event()

    def exchange():
        while not stop.is_set():
            for target in (outside, "real"):
                os.symlink(target, f"{project}/new")
                os.rename(f"{project}/new", f"{project}/sub")
    thread = threading.Thread(target=exchange)
    thread.start()
    written = rounds = 0
    while rounds < 100 or (not written and rounds < 10000):
        rounds += 1
        put(f"{project}/real/a.py", SCRIPT)
        rlx("migrate", "--write", "--to=0.25", "sub/a.py", cwd=project)
        written += read(f"{project}/real/a.py") != SCRIPT
    stop.set()
    thread.join()
    check("a race", read(f"{outside}/a.py") == SCRIPT and sorted(os.listdir(outside)) == ["a.py"] and written, written)


def caches(top):
    project, outside = os.path.join(top, "cached"), os.path.join(top, "elsewhere")
    put(f"{project}/a.py", SCRIPT)
    os.makedirs(outside)
    env = {"XDG_CACHE_HOME": os.path.join(top, "xdg")}
    for folder in (outside, "../elsewhere", "x/../../elsewhere", "..", "a/.."):
        put(f"{project}/rlx.toml", f'cache-dir = "{folder}"\n')
        done = rlx("check", "a.py", cwd=project, env=env)
        check(f"cache-dir {folder}", done.returncode == 2 and "RLX0913" in done.stderr and "inside the project" in done.stderr and not os.listdir(outside), done)
    put(f"{project}/rlx.toml", 'cache-dir = "kept/here"\n')
    done = rlx("check", "a.py", cwd=project, env=env)
    check("a folder inside", os.path.exists(f"{project}/kept/here/CACHEDIR.TAG"), done)
    os.symlink(outside, f"{project}/link")
    os.symlink(f"{outside}/not-there", f"{project}/dangling")
    for folder in ("link", "link/deeper", "dangling", "dangling/x"):
        put(f"{project}/rlx.toml", f'cache-dir = "{folder}"\n')
        done = rlx("check", "a.py", cwd=project, env=env)
        check(f"a link called {folder}", "leads out of the project" in done.stderr and not os.listdir(outside), done)
    # The folders of entries are links.
    os.makedirs(f"{project}/trap")
    put(f"{project}/trap/CACHEDIR.TAG", "")
    os.utime(f"{project}/trap/CACHEDIR.TAG", (0, 0))
    old = "0" * 30
    put(f"{outside}/{old}", "")
    os.utime(f"{outside}/{old}", (0, 0))
    for i in range(256): os.symlink(outside, f"{project}/trap/{i:02x}")
    put(f"{project}/rlx.toml", 'cache-dir = "trap"\n')
    done = rlx("check", "a.py", cwd=project, env=env)
    check("folders of entries that are links", os.listdir(outside) == [old], (done, os.listdir(outside)))
    done = rlx("check", f"--cache-dir={top}/any", "a.py", cwd=project, env=env)
    check("the command line may say any", os.path.exists(f"{top}/any/CACHEDIR.TAG"), done)


def externs(top):
    script = os.path.abspath("tests/hostile/externs.py") + "::programs"
    project = os.path.join(top, "calls")
    put(f"{project}/script.py", read(script.split("::")[0]))
    home, own = os.path.join(top, "home"), os.path.join(top, "config")
    env = {"HOME": home, "XDG_CONFIG_HOME": own}
    call = ("run", "script.py::programs", "B=4:float32:ones")
    done = rlx(*call, cwd=project, env=env)
    if done.returncode and "LLVM" in done.stderr: return
    check("refused at first", done.returncode == 1 and "--allow-extern=system" in done.stderr, done)
    put(f"{project}/rlx.toml", 'allow-extern = ["system"]\n')
    done = rlx(*call, cwd=project, env=env)
    check("a project's file", done.returncode == 2 and "not read from a project" in done.stderr, done)
    done = rlx(*call, f"--config={project}/rlx.toml", cwd=top, env=env)
    check("a project's file that is named", done.returncode == 2, done)
    os.remove(f"{project}/rlx.toml")
    put(f"{own}/rlx/rlx.toml", 'allow-extern = ["system"]\n')
    check("the user's own file", rlx(*call, cwd=project, env=env).returncode == 0)
    check("the user's own file, isolated", rlx(*call, "--isolated", cwd=project, env=env).returncode == 1)
    put(f"{own}/rlx/rlx.toml", 'allow-extern = ["fork"]\n')
    done = rlx(*call, "--allow-extern=system", cwd=project, env=env)
    check("both", done.returncode == 0, done)
    put(f"{own}/rlx/rlx.toml", 'select = []\n')
    done = rlx(*call, "--allow-extern=system", cwd=project, env=env)
    check("a project's setting in the user's file", done.returncode == 2 and "not read from your own" in done.stderr, done)
    put(f"{home}/.config/rlx/rlx.toml", 'allow-extern = ["system"]\n')
    done = rlx(*call, cwd=project, env={"HOME": home, "XDG_CONFIG_HOME": ""})
    check("below HOME", done.returncode == 0, done)
    entry = ":load script.py\nM.programs(R.ones((4,), \"float32\"))\n"
    for options, fine in (((), False), (("--allow-extern=system",), True)):
        done = subprocess.run([RLX, "repl", *options], input=entry, cwd=project, capture_output=True, text=True, timeout=HANG,
                              env={**os.environ, "HOME": top, "XDG_CONFIG_HOME": ""})
        check(f"the REPL with {options}", (done.returncode == 0) == fine, done)
    endless = "@T.prim_func\ndef f(A: T.Buffer((4,), \"int64\")):\n    while A[0] >= T.int64(0):\n        A[1] = A[1] + T.int64(1)\n\nf(R.zeros((4,), \"int64\"))\n"
    done = subprocess.run([RLX, "repl", "--time-limit=1"], input=endless, cwd=project, capture_output=True, text=True, timeout=HANG)
    check("a time limit of the REPL", done.returncode == 1 and "stopped after 1 seconds" in done.stdout, done)
    done = subprocess.run([RLX, "repl", "--memory-limit=100"], input='R.ones((100000000,), "float32")\n', cwd=project, capture_output=True, text=True, timeout=HANG)
    check("a memory limit of the REPL", done.returncode == 1 and "memory" in done.stdout, done)


def outputs(top):
    """What the command line names is written through a link, which stays; what is no file is left alone, and the reason said."""
    folder = os.path.join(top, "outputs")
    put(f"{folder}/f.py", "from tvm.script import relax as R\n@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return R.add(x, x)\n"
        "@R.function\ndef none():\n    return R.tuple()\n")
    session = "x = R.ones((2,), \"float32\")\n:save {}\n"
    for i, (name, call, typed) in enumerate((("run", ["run", "f.py::main", "x=[1, 2]", "--out={}"], ""), ("run, an empty tuple", ["run", "f.py::none", "--out={}"], ""),
                                             (":save", ["repl", "--isolated"], session))):
        def write(place):
            return subprocess.run([RLX, *(word.format(place) for word in call)], input=typed.format(place), cwd=folder, capture_output=True, text=True, timeout=HANG)
        put(f"{folder}/real{i}.npz", "old")
        os.chmod(f"{folder}/real{i}.npz", 0o640)
        os.symlink(f"real{i}.npz", f"{folder}/link{i}.npz")
        os.symlink("/dev/full", f"{folder}/device{i}.npz")
        os.makedirs(f"{folder}/folder{i}.npz")
        done = write(f"link{i}.npz")
        if done.returncode and "LLVM" in done.stderr: return
        with open(f"{folder}/real{i}.npz", "rb") as f: begin = f.read(2)
        check(f"{name} through a link", done.returncode == 0 and begin == b"PK" and os.path.islink(f"{folder}/link{i}.npz"), done)
        check(f"{name} keeps the mode", os.stat(f"{folder}/real{i}.npz").st_mode & 0o777 == 0o640)
        for place, why in ((f"device{i}.npz", "not a regular file"), (f"folder{i}.npz", "not a regular file"), ("none/x.npz", "No such file or directory")):
            done = write(place)
            check(f"{name} to {place}", done.returncode != 0 and why in done.stderr + done.stdout, done)
        left = [entry for entry in os.listdir(folder) if ".rlx-" in entry]
        check(f"{name} leaves nothing beside", not left, left)


def sizes(top):
    """A limit of what a file may hold (ulimit -f) is a write that fails: the old file stays, nothing is left beside it, and the session goes on."""
    folder, padding = os.path.join(top, "sizes"), "# padding\n" * 1200
    calls = [(" ".join(writer[:2]), writer + ["a.py"], "") for writer in WRITERS]
    calls.append((":save", ["repl", "--isolated", "--keep-going"], 'x = R.ones((4000,), "float32")\n:save x.npy x\n:save x.safetensors\n40 + 2\n'))
    for name, call, typed in calls:
        put(f"{folder}/a.py", SCRIPT + padding)
        done = subprocess.run([RLX, *call], input=typed, cwd=folder, capture_output=True, text=True, timeout=HANG,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        if "LLVM" in done.stderr + done.stdout: continue
        check(f"{name} and files of at most 8 KiB", done.returncode > 0 and "File too large" in done.stderr + done.stdout, done)
        check(f"{name} leaves what was there", os.listdir(folder) == ["a.py"] and read(f"{folder}/a.py") == SCRIPT + padding, os.listdir(folder))
        if typed: check("the session goes on", "\n42\n" in "\n" + done.stdout, done)


def main():
    with tempfile.TemporaryDirectory() as top:
        for part in (links, races, caches, externs, outputs, sizes): part(os.path.realpath(top))
    return report()


if __name__ == "__main__":
    sys.exit(main())
