"""A disk that is full (a small tmpfs): every command that writes, with so many pages left: a file is as it was or as it is to be, nothing
else is left behind, and what could not be written is said with its name. Needs a mount namespace of its own (unshare)."""
import os, shutil, subprocess, sys, tempfile

from common import HANG, RLX, check, report
from kills import COMMANDS, KERNEL, SCRIPT, archive

PAGE = 4096
SESSION = b"x = R.ones((40, 40), \"float32\")\ny = R.ones((3,), \"float32\")\n:save %s\n"
MORE = (
    ("schedule --save", ["schedule", "--save=steps.json", "a.py::p0", "-"], "steps.json", b'sch.split("i", factors=[2, 2])\n'),
    (":save of an array", ["repl"], "saved.npy", SESSION % b"saved.npy x"),
    (":save of an archive", ["repl"], "saved.npz", SESSION % b"saved.npz"),
    (":save of a schedule", ["repl", "a.py"], "sched.json", b":sched p0\nsch.split(\"i\", factors=[2, 2])\n:save sched.json\n"),
)
OLD = b"what stood here before\n"


def contents(top):
    """Path → bytes of all regular files below `top` (of an archive: its members), but for the cache, whose entries hold for themselves,
    and what fills the disk."""
    found = {}
    for at, folders, names in os.walk(top):
        if "CACHEDIR.TAG" in names: folders.clear(); continue
        for name in names:
            path = os.path.join(at, name)
            if name == "filler": continue
            with open(path, "rb") as f: data = f.read()
            found[os.path.relpath(path, top)] = archive(path) if name.endswith(".npz") and data != OLD else data
    return found


def run(command, typed, folder):
    return subprocess.run([RLX, *command], cwd=folder, input=typed or b"", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANG)


def fill(top, left):
    """Takes all but `left` bytes."""
    path = os.path.join(top, "filler")
    with open(path, "wb", buffering=0) as f:
        free = os.statvfs(top)
        try: f.write(bytes(max(0, free.f_bavail * free.f_frsize - left)))
        except OSError: pass


def with_room_for(left, name, command, place, typed, disk, before, after, code):
    """One command on a disk with `left` bytes; whether it could write all."""
    for entry in os.listdir(disk):
        path = os.path.join(disk, entry)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    for file, data in before.items():
        with open(os.path.join(disk, file), "wb") as f: f.write(data)
    fill(disk, left)
    done = run(command, typed, disk)
    now = contents(disk)
    wrote = now == after
    title = f"{name}, {left >> 10} KB left"
    if os.path.splitext(place or "x")[1] or not wrote:
        members = {k: v for k, v in now.items() if k not in before}
        whole = all(after.get(k) == v for k, v in members.items())
        kept = all(now.get(k) in (before[k], after.get(k)) for k in before)
        check(f"{title}: each file is whole", whole and kept, ({k: len(v) for k, v in now.items()}, done.stdout[-300:]))
    if wrote:
        check(f"{title}: it wrote all", done.returncode == code, (done.returncode, done.stdout[-300:]))
    else:
        said = b"No space left" in done.stdout
        check(f"{title}: it says so", said and done.returncode not in (0,) and done.returncode > 0, (done.returncode, done.stdout[-300:]))
    return wrote


def disks():
    with tempfile.TemporaryDirectory() as top:
        disk, plenty = os.path.join(top, "disk"), os.path.join(top, "plenty")
        os.mkdir(disk)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk], check=True)
        for name, command, place, typed in [(n, c, p, t) for n, c, p, _, t in COMMANDS] + list(MORE):
            before = {"a.py": SCRIPT.encode(), "k.py": KERNEL.encode()}
            if place and place not in before and os.path.splitext(place)[1]: before[place] = OLD
            if name == "check --baseline": del before[place]
            os.mkdir(plenty)
            for file, data in before.items():
                with open(os.path.join(plenty, file), "wb") as f: f.write(data)
            done = run(command, typed, plenty)
            after, code = contents(plenty), done.returncode
            shutil.rmtree(plenty)
            if b"LLVM" in done.stdout: continue
            wrote = [with_room_for(pages * PAGE, name, command, place, typed, disk, before, after, code) for pages in (0, 1, 3, 480, 2000)]
            check(f"{name} writes where there is room", wrote[-1], wrote)
            if place: check(f"{name} does not write where there is none", not wrote[0], wrote)
        subprocess.run(["umount", disk], check=True)
    return report()


def main():
    if "inside" in sys.argv: return disks()
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: no mount namespace can be had here\n0 passed, 0 failed, 1 skipped")
        return False
    return subprocess.run(["unshare", "-rm", sys.executable, os.path.abspath(__file__), "inside"]).returncode


if __name__ == "__main__":
    sys.exit(main())
