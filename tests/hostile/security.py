"""Sentences of docs/security.md that no other test holds: checking evaluates nothing, names in a repository that are no files, entries of
a cache that were changed, commands that were not typed."""
import fcntl, json, os, socket, subprocess, sys, tempfile, threading

from common import HANG, RLX, SCRIPT, check, report

# Each line would leave a file if Python, or we, ever evaluated it.
ACTIVE = """import os, pathlib, subprocess
os.system("touch evaluated")
open("evaluated", "w").write("1")
X = [open("evaluated", "w") for i in range(1)] or __import__("os").system("touch evaluated")
Y: open("evaluated", "w") = f"{subprocess.run(['touch', 'evaluated'])}"
class Meta(type):
    def __new__(cls, *a): pathlib.Path("evaluated").touch()
@(lambda f: pathlib.Path("evaluated").touch() or f)
def decorated(x=open("evaluated", "w")): return x
from own import N
import own
"""
COMMANDS = (["check", "--no-cache"], ["check", "--fix", "--unsafe-fixes", "--no-cache"], ["infer"], ["outline"], ["tir"], ["print"], ["normalize"], ["migrate", "--to=0.25"])


def put(path, text):
    with open(path, "w") as f: f.write(text)


def rlx(*args, cwd, stdin="", **more):
    """The finished process; None when it does not end."""
    try: return subprocess.run([RLX, *args], cwd=cwd, input=stdin, capture_output=True, text=True, timeout=HANG, **more)
    except subprocess.TimeoutExpired: return None


def message(method, params, number=None):
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})})
    return f"Content-Length: {len(body)}\r\n\r\n{body}"


def server(folder, text):
    """A client opens the script in a workspace and asks about its lines; what the server answered."""
    uri = f"file://{folder}/a.py"
    sent = [message("initialize", {"capabilities": {}, "rootUri": f"file://{folder}"}, 1), message("initialized", {}),
            message("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})]
    number = 2
    for method in ("hover", "definition", "completion", "references", "signatureHelp", "documentHighlight"):
        for line in range(0, text.count("\n"), 3):
            sent.append(message(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": line, "character": 9},
                                                           "context": {"includeDeclaration": True}}, number))
            number += 1
    sent += [message("workspace/symbol", {"query": "a"}, number), message("shutdown", None, number + 1), message("exit", None)]
    return rlx("lsp", cwd=folder, stdin="".join(sent))


def nothing_is_evaluated(top):
    folder = os.path.join(top, "active")
    os.mkdir(folder)
    text = ACTIVE + SCRIPT
    put(f"{folder}/own.py", ACTIVE.replace("from own import N\nimport own\n", "") + "N = os.system('touch evaluated') or 4\n")
    put(f"{folder}/__init__.py", ACTIVE)
    for command in COMMANDS:
        put(f"{folder}/a.py", text)
        done = rlx(*command, "a.py", cwd=folder)
        check(f"{' '.join(command)} evaluates nothing", done and done.returncode in (0, 1) and not os.path.exists(f"{folder}/evaluated"), done)
    put(f"{folder}/a.py", text)
    done = server(folder, text)
    check("the server evaluates nothing", done and done.returncode == 0 and not os.path.exists(f"{folder}/evaluated"), done)


def what_is_no_file(top):
    """Pipes, sockets, devices, folders and links in a circle that are called like scripts, modules, configurations and baselines."""
    folder = os.path.join(top, "odd")
    os.mkdir(folder)
    put(f"{folder}/a.py", "from pipe import N\nfrom zero import M\nfrom circle import K\nimport folder\n" + SCRIPT)
    os.mkfifo(f"{folder}/pipe.py")
    os.symlink("/dev/zero", f"{folder}/zero.py")
    os.symlink("circle.py", f"{folder}/circle.py")
    os.symlink("/proc/kmsg", f"{folder}/kernel.py")  # calls itself a regular file; who may read it waits
    os.mkdir(f"{folder}/folder.py")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{folder}/socket.py")
    for command in COMMANDS:
        done = rlx(*command, "a.py", cwd=folder)
        check(f"{' '.join(command)} beside what is no file", done and done.returncode in (0, 1), done)
    done = rlx("check", "--no-cache", ".", cwd=folder)
    check("check of a folder with what is no file", done and done.returncode in (0, 1, 2), done)
    done = server(folder, open(f"{folder}/a.py").read())
    check("the server beside what is no file", done and done.returncode == 0, done)
    put(f"{folder}/rlx.toml", '[schedules]\n"a.py" = ["pipe.py", "zero.py", "circle.py", "folder.py", "socket.py"]\n')
    done = rlx("check", "--no-cache", "a.py", cwd=folder)
    check("traces that are no files", done and done.returncode == 2 and "pipe.py: is not a regular file" in done.stderr, done)
    listening.close()


def ignore_files(top):
    """A .gitignore that is no file of the folder: who opens a pipe waits, and links are not followed."""
    for what in ("a pipe", "a link", "a device", "a folder"):
        folder = tempfile.mkdtemp(dir=top)
        put(f"{folder}/a.py", SCRIPT + "X = undefined(\n")
        put(f"{folder}/all", "*.py\n")
        path = f"{folder}/.gitignore"
        if what == "a pipe": os.mkfifo(path)
        elif what == "a folder": os.mkdir(path)
        else: os.symlink("all" if what == "a link" else "/proc/kmsg", path)
        done = rlx("check", "--no-cache", ".", cwd=folder)
        check(f"an ignore file that is {what}", done and done.returncode == 1 and "a.py" in done.stdout, done)
    folder = tempfile.mkdtemp(dir=top)
    for number, wanted in ((4095, 0), (4096, 1)):  # the last rule is read, or is not
        put(f"{folder}/.gitignore", "nothing\n" * number + "*.py\n")
        put(f"{folder}/a.py", SCRIPT + "X = undefined(\n")
        done = rlx("check", "--no-cache", ".", cwd=folder)
        check(f"{number} rules before the one that counts", done and (done.returncode == 1) == bool(wanted), done)


def many_traces(top):
    """A configuration names traces without end: of so many each has its part of the work, and no more are carried out."""
    folder = tempfile.mkdtemp(dir=top)
    put(f"{folder}/a.py", "from tvm.script import tir as T\n\n\n@T.prim_func\ndef f(A: T.Buffer((8,), \"float32\")):\n    for i in range(8):\n"
        "        with T.block(\"b\"):\n            v = T.axis.spatial(8, i)\n            A[v] = T.float32(0)\n")
    put(f"{folder}/t.py", 'b0 = sch.get_block(name="b", func_name="f")\nl1, = sch.get_loops(block=b0)\n')
    for count, wanted in ((1000, 0), (1001, 2)):
        put(f"{folder}/rlx.toml", "[schedules]\n" + '"a.py" = [' + '"t.py", ' * count + "]\n")
        done = rlx("check", "--no-cache", "a.py", cwd=folder)
        told = f"{count} traces, of which the first 1000 are carried out"
        check(f"{count} traces", done and done.returncode == wanted and (told in done.stderr) == bool(wanted), done)


def changed_entries(top):
    """Whatever a cache holds, the findings are those of the script."""
    folder = os.path.join(top, "cached")
    os.mkdir(folder)
    for i in range(3): put(f"{folder}/{i}.py", SCRIPT.replace("R.add(y, y)", f"R.add(y, missing{i})"))
    fresh = rlx("check", "--no-cache", ".", cwd=folder)
    rlx("check", "--cache-dir=cache", ".", cwd=folder)
    entries = [os.path.join(at, n) for at, _, names in os.walk(f"{folder}/cache") for n in names if n != "CACHEDIR.TAG"]
    check("there are entries", len(entries) >= 3, entries)
    whole = [open(e, "rb").read() for e in entries]
    turned = whole[1:] + whole[:1]
    changes = [("cut short", [w[: len(w) // 2] for w in whole]), ("empty", [b"" for w in whole]), ("of each other", turned),
               ("longer", [w + w for w in whole]), ("zeros", [bytes(len(w)) for w in whole])]
    changes += [(f"changed at {k}/16", [w[: len(w) * k // 16] + bytes([w[len(w) * k // 16] ^ 1]) + w[len(w) * k // 16 + 1:] for w in whole]) for k in range(16)]
    for name, data in changes:
        for entry, content in zip(entries, data):
            with open(entry, "wb") as f: f.write(content)
        done = rlx("check", "--cache-dir=cache", ".", cwd=folder)
        check(f"entries that are {name}", done and (done.returncode, done.stdout) == (fresh.returncode, fresh.stdout), done)


def commands_not_typed(top):
    folder = os.path.join(top, "typed")
    os.mkdir(folder)
    put(f"{folder}/a.py", "!touch evaluated\n")
    for name, args, typed in (("a pipe", [], "!touch evaluated\n"), ("a file", ["a.py"], ""), (":load", [], ":load a.py\n")):
        done = rlx("repl", "--keep-going", "--no-history", *args, cwd=folder, stdin=typed)
        check(f"a command of the shell in {name}", done and not os.path.exists(f"{folder}/evaluated"), done)


def files_that_are_loaded(top):
    """A script that is loaded asks for no file to be written and no program to be started, and reads others a bounded number of times."""
    folder = os.path.join(top, "loaded")
    os.mkdir(folder)
    function = '@R.function\ndef f(x: R.Tensor((4,), "float32")):\n    y = R.add(x, x)\n    return y\n\n'
    kernel = '@T.prim_func(s_tir=True)\ndef k(A: T.Buffer((4,), "float32")):\n    for i in range(4):\n        A[i] = T.float32(1)\n\n'
    for name, text in ((":save of a script", function + ":save written.py\n"), (":save of an archive", "x = [1., 2.]\n:save written.npz x\n"),
                       (":save of tensors", "x = [1., 2.]\n:save written.safetensors x\n"), (":save of an array", "x = [1., 2.]\n:save written.npy x\n"),
                       (":graph", function + ":graph written.svg f\n"), (":edit", function + ":edit f\n"), (":save of a schedule", kernel + ":sched k\n:save written.json\n")):
        put(f"{folder}/a.py", text)
        for args, typed in ((["a.py"], ""), ([], ":load a.py\n")):
            done = rlx("repl", "--keep-going", "--no-history", *args, cwd=folder, stdin=typed, env={**os.environ, "EDITOR": "touch written"})
            left = [f for f in os.listdir(folder) if f.startswith("written")]
            check(f"{name} in a file, {args or typed}", done and not left and "is for the prompt" in done.stdout, (left, done))
    put(f"{folder}/self.py", "n = 40 + 2\n:load self.py\n")
    for i in range(3): put(f"{folder}/circle{i}.py", f":load circle{(i + 1) % 3}.py\n")
    for i in range(40): put(f"{folder}/two{i}.py", f":load two{i + 1}.py\n" * 2 if i < 39 else "n = 3\n")
    for i in range(20): put(f"{folder}/many{i}.py", f":load many{i + 1}.py\n" * 2 if i < 19 else "n = 3\n")
    for name, said in (("self.py", "it loads itself"), ("circle0.py", "it loads itself"), ("two0.py", "more than 32 deep"), ("many0.py", "loads more than 1000 others")):
        done = rlx("repl", "--keep-going", "--no-history", cwd=folder, stdin=f":load {name}\n40 + 2\n")
        check(f"{name} that loads others", done and said in done.stdout and "42\n" in done.stdout, done)


def what_others_share(top):
    """An open file that is the standard input belongs to whoever started the program, too."""
    put(f"{top}/shared.py", "from tvm.script import relax as R\n")
    with open(f"{top}/shared.py") as f:
        before = fcntl.fcntl(f, fcntl.F_GETFL)
        done = subprocess.run([RLX, "check", "-"], stdin=f, capture_output=True, timeout=HANG)
        check("the flags of a file that is typed", done.returncode == 0 and fcntl.fcntl(f, fcntl.F_GETFL) == before, done)


def exchanged(top):
    """A script that is exchanged for a pipe, and back, while a folder is read makes nobody wait."""
    folder, stop, seconds = f"{top}/exchanged", threading.Event(), 60
    os.makedirs(folder)
    put(f"{top}/script", SCRIPT)
    os.mkfifo(f"{top}/pipe")

    def exchange():
        while not stop.is_set():
            for kind in ("pipe", "script"):
                os.link(f"{top}/{kind}", f"{folder}/new")
                os.rename(f"{folder}/new", f"{folder}/a.py")
    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        for command in (["check", "--no-cache"], ["check", "--no-cache", "--fix"], ["infer"], ["outline"], ["tir"], ["normalize"], ["normalize", "--write"], ["migrate", "--write"]):
            ended = 0
            for _ in range(25):
                try: ended += subprocess.run([RLX, *command, "."], cwd=folder, capture_output=True, timeout=seconds).returncode in (0, 1, 2)
                except subprocess.TimeoutExpired: break
            check(f"{' '.join(command)} of what is exchanged for a pipe", ended == 25, ended)
    finally:
        stop.set()
        thread.join()


def main():
    with tempfile.TemporaryDirectory() as top:
        for part in (nothing_is_evaluated, what_is_no_file, ignore_files, many_traces, changed_entries, commands_not_typed, files_that_are_loaded, what_others_share, exchanged): part(os.path.realpath(top))
    return report()


if __name__ == "__main__":
    sys.exit(main())
