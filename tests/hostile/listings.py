"""`rlx tir` lists up to 100,000 dependencies of a file, of which there may be one for each pair of blocks, and says that it left some
out; --all-dependencies lists them all."""
import json, os, pathlib, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

MOST = 100_000


def blocks(n):
    """n blocks that read and write one buffer: each has three dependencies (RAW, WAW, WAR) on each before it."""
    return ("from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\")):\n" + "".join(
        f"    for i in range(64):\n        with T.block(\"b{k}\"):\n            v = T.axis.spatial(64, i)\n            A[v] = A[v] + T.float32(1)\n"
        for k in range(n)))


def listed(path, form, *more):
    """How many dependencies it lists, and whether it says that there are more."""
    out = subprocess.run([RLX, "tir", f"--format={form}", *more, path], capture_output=True, text=True, check=True).stdout
    if form == "json":
        function = json.loads(out)["files"][0]["functions"][0]
        return len(function["dependencies"]), function.get("more_dependencies", False)
    if form == "dot":
        return out.count(" -> "), "more are left out" in out
    return sum(line.count(" A") for line in out.splitlines() if " -> " in line), "more are left out" in out


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input.py")
        for n in (40, 300):
            with open(path, "w") as f:
                f.write(blocks(n))
            whole = 3 * n * (n - 1) // 2
            for form in ("text", "json", "dot"):
                for more, expected in ((), (min(whole, MOST), whole > MOST)), (("--all-dependencies",), (whole, False)):
                    found = listed(path, form, *more)
                    passed, failed = passed + (found == expected), failed + (found != expected)
                    if found != expected:
                        print(f"FAILED tir --format={form} {' '.join(more)} of {n} blocks: {found}, expected {expected}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
