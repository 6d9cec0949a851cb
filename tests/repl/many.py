"""Sessions with hundreds of other definitions: what an entry does not reach is not analysed with it, and nothing that is printed tells."""
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = "bindings blocks broken chains dialects errors late look modules named norm numbers paste primfunc python recursion stale step subscripts sugar symbols undo warnings".split()
OTHERS = "".join(f'@R.function\ndef other_{i}(a: R.Tensor(({i + 1},), "float32")):\n    b = R.add(a, a)\n    return b\n\n\n' for i in range(300))


def among_others(rlx, name):
    """What the session prints, beside that many definitions, is what it prints alone."""
    case = HERE / "cases" / f"{name}.in"
    with tempfile.TemporaryDirectory() as folder:
        if case.with_suffix(".d").is_dir():
            shutil.copytree(case.with_suffix(".d"), folder, dirs_exist_ok=True)
        done = subprocess.run([rlx, "repl", "--keep-going"], cwd=folder, input=OTHERS.encode() + case.read_bytes(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    got, expected = done.stdout.decode() + f"exit {done.returncode}\n", case.with_suffix(".out").read_text()
    for line, (a, b) in enumerate(zip(got.splitlines() + [""], expected.splitlines() + [""])):
        if a != b:
            return f"line {line + 1} is {a!r}, alone it is {b!r}"
    return None
