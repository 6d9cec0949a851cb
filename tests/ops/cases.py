"""Cases of operators as lines of text: read, written out as functions, asked of rlx.

A line is `CALL where PARAMETERS => ANSWER`:

    R.permute_dims(x, axes=[1, 0]) where x: R.Tensor(("n", 3), "float32") => R.Tensor((3, n), dtype="float32")
    R.permute_dims(x, axes=[0, 0]) where x: R.Tensor((2, 3), "float32") => error RLX0304 at [0, 0]

It stands for a function with these parameters whose body binds `gv` to the call. Statements before it end in `; `, and the word `impure; `
in front makes the function an impure one. The strings in PARAMETERS that name dimensions are declared in the body where the call uses them.
ANSWER is what Apache TVM deduces for `gv`, in its words, or `error`; then follow the codes and the marked texts of what rlx reports (of
a warning behind `with`), since which code it is and where it points is rlx's own. Where rlx answers otherwise than TVM, both are there, ` but rlx ` between them, and the
comment above the line says why.
"""

import ast
import json
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADER = "from tvm.script.parser import ir as I, relax as R, tirx as T\n\n"
DTYPE = re.compile(r"(u?int\d+|b?float\d+\w*|bool|object|void)?$")


class Case:
    """A line: `call`, `params`, TVM's answer `tvm` (a StructInfo or "error"), what rlx has to say `rlx`."""

    def __init__(self, line):
        what, answer = line.split(" => ")
        self.call, self.params = what.split(" where ") if " where " in what else (what, "")
        self.tvm, _, self.rlx = answer.partition(" but rlx ")
        if not self.rlx:
            self.rlx = self.tvm
            self.tvm = "error" if self.tvm.startswith("error") else re.sub(r" with RLX.*", "", self.tvm)

    def line(self):
        """The line again."""
        answer = self.rlx if agree(self.tvm, self.rlx) else f"{self.tvm} but rlx {self.rlx}"
        return f"{self.call}{' where ' if self.params else ''}{self.params} => {answer}"

    def function(self, name):
        """The case as a function, its lines."""
        statements = self.call.split("; ")
        impure = statements[0] == "impure"
        del statements[:impure]
        used = {n.id for s in statements for n in ast.walk(ast.parse(s)) if isinstance(n, ast.Name)}
        lines = ["@R.function(pure=False)" if impure else "@R.function", f"def {name}({self.params}):"]
        lines += [f"    {s} = T.int64()" for s in symbols(self.params) if s in used]
        return lines + [f"    {s}" for s in statements[:-1]] + [f"    gv = {statements[-1]}", "    return gv", ""]


def agree(tvm, rlx):
    return rlx.startswith("error") if tvm == "error" else re.sub(r" with RLX.*", "", rlx) == tvm


def symbols(params):
    """Names in the strings of the parameters' annotations, in order; "R" is where an axis lies (R.DTensor)."""
    out = []
    for a in ast.parse(f"def f({params}): pass").body[0].args.args:
        for n in ast.walk(a.annotation):
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and not DTYPE.match(n.value):
                try:
                    out += [x.id for x in ast.walk(ast.parse(n.value)) if isinstance(x, ast.Name)]
                except SyntaxError:
                    pass
    return [name for name in dict.fromkeys(out) if name != "R"]


def files():
    return sorted(HERE.glob("*.txt"))


def is_case(line):
    return " => " in line and not line.startswith("#")


def read(path):
    return [Case(line) for line in path.read_text(encoding="utf-8").split("\n") if is_case(line)]


def ask(rlx, cases):
    """What rlx says of each case, as the part of a line behind `=>`."""
    lines = HEADER.rstrip("\n").split("\n") + [""]
    starts = []
    for k, case in enumerate(cases):
        starts.append(len(lines))
        lines += case.function(f"f{k}")
    starts.append(len(lines))
    with tempfile.TemporaryDirectory() as tmp:
        script = pathlib.Path(tmp) / "cases.py"
        script.write_text("\n".join(lines), encoding="utf-8")

        def run(command):
            done = subprocess.run([rlx, command, "--format", "json", str(script)], capture_output=True, timeout=900, check=False)
            if done.returncode not in (0, 1):
                raise SystemExit(f"rlx {command}: exit {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
            return json.loads(done.stdout)["files"][0]

        reports, deduced = run("check")["diagnostics"], {}
        for module in run("infer")["modules"]:
            for function in module["functions"]:
                for binding in function.get("bindings") or []:
                    if binding["name"] == "gv":
                        deduced[function["name"]] = binding["struct_info"]
    said, failed, at = [[] for _ in cases], [False] * len(cases), 0
    for d in sorted(reports, key=lambda d: (d["range"]["start"]["line"], d["range"]["start"]["character"], d["code"])):
        if d["code"] == "RLX0217":  # a value that is not used: the parameters of a case often are not
            continue
        start, end = d["range"]["start"], d["range"]["end"]
        while starts[at + 1] <= start["line"]:
            at += 1
        line = lines[start["line"]]
        marked = line[start["character"] : end["character"] if end["line"] == start["line"] else len(line)]
        said[at].append(f"{d['code']} at {marked}")
        failed[at] |= d["severity"] == "error"
    answers = []
    for k in range(len(cases)):
        first = "error" if failed[k] else deduced.get(f"f{k}", "nothing")
        answers.append(first + (" " if failed[k] else " with ") * bool(said[k]) + " and ".join(said[k]))
    return answers
