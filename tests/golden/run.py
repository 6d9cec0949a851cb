#!/usr/bin/env python3
"""Golden tests: Python files whose `#!` lines say what rlx says about the line above them.

    tests/golden/run.py [--update] [FILE or FOLDER…]     default: all of tests/golden

Lines that start with `#!` belong to this program: they are taken out before the file is analysed, and `--update`
writes them anew. After a line come the diagnostics that start in it, carets under their first line,

    #!                         ^^^^^^ error[RLX0304]: axis 0 appears more than once in `axes`

then the StructInfo of every binding that ends in it (temporaries of nested calls included):

    #! z: R.Tensor(dtype="float32", ndim=2)

A diagnostic too far left for carets is written `#! COLUMN-COLUMN error[…]: …`.
A comment line `# rlx-golden: check` (or `infer`) restricts a file to one command. With `# rlx-golden: tir` it is what `rlx tir --moves`
says: after the line of a loop or block what holds of it and what does not, after the last line of a PrimFunc its dependencies and moves. Bindings that nothing reads are what most of these
files consist of: RLX0217 is left out unless a comment line says `# rlx-golden: unused`.
The closing line is `N passed, N failed, N skipped`. Standard library only.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

HERE = ROOT / "tests" / "golden"
OURS = re.compile(r"^\s*#!(?!/)")


def commands():
    rows = (ROOT / "cli" / "commands.def").read_text()
    return set(re.findall(r"^RLX_COMMAND\((\w+),", rows, re.M))


def ask(command, files, cwd):
    """Entries by file, for all files at once; {} and the reason when rlx did not answer."""
    more = ["--moves"] if command == "tir" else []
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(cwd, ".cache"))  # an empty one: never what an earlier run kept, nor the user's
    done = subprocess.run([RLX, command, "--format", "json", *more, *files], cwd=cwd, env=env, capture_output=True, timeout=900)
    try:
        last = done.stdout.decode("utf-8").rstrip("\n").rsplit("\n", 1)[-1]
        return {e["file"]: e for e in json.loads(last)["files"]}, None
    except (ValueError, KeyError, TypeError) as e:
        err = done.stderr.decode("utf-8", "replace").strip()
        return {}, f"rlx {command}: exit {done.returncode}, no JSON ({e}); {err[-800:]}"


def ask_all(command, files, cwd):
    entries, why = ask(command, files, cwd)
    if why is None or len(files) == 1:
        return entries, {f: why for f in files if f not in entries}
    failures = {}
    for f in files:  # one of them broke it: find out which
        one, why = ask(command, [f], cwd)
        entries.update(one)
        if f not in one:
            failures[f] = why
    return entries, failures


def column(line, utf16):
    """UTF-16 column to an index into the line."""
    i = units = 0
    while i < len(line) and units < utf16:
        units += 2 if ord(line[i]) > 0xFFFF else 1
        i += 1
    return i


def diagnostic_lines(lines, d):
    start, end = d["range"]["start"], d["range"]["end"]
    line = lines[start["line"]] if start["line"] < len(lines) else ""
    a = column(line, start["character"])
    b = column(line, end["character"]) if end["line"] == start["line"] else len(line)
    text = f"{d['severity']}[{d['code']}]: {d['message']}"
    carets = "^" * max(1, b - a)
    indent = len(line) - len(line.lstrip())
    if a >= indent + 3:
        first = " " * indent + "#!" + " " * (a - indent - 2) + carets + " " + text
    elif a >= 2:
        first = "#!" + " " * (a - 2) + carets + " " + text
    else:
        first = f"#! {a}-{b} {text}"
    pad = " " * indent
    out = first.split("\n")
    out[1:] = [f"{pad}#!     {x}" for x in out[1:]]
    for r in d.get("related") or []:
        if (r.get("range") or {}).get("start"):
            out.append(f"{pad}#!     line {r['range']['start']['line'] + 1}: {r['message']}")
        else:
            out.append(f"{pad}#!     {r['message']}")
    for fix in d.get("fixes") or []:
        out.append(f"{pad}#!     fix: {fix['title']}")
    return min(start["line"], max(len(lines) - 1, 0)), out


def facts(kind):
    """Names of the facts of blocks or loops that a golden shows: rows of facts.def, but for those that only JSON has and
    `output_block`, which fails for most blocks."""
    rows = re.findall(rf"^RLX_{kind}_FACT\((\w+), *\w+, *\w+, *(\w+),", (ROOT / "analyzer/tir/facts.def").read_text(), re.M)
    names = [name for name, said in rows if said != "JSON" and name != "output_block"]
    return names if kind == "LOOP" else sorted(names)


LOOP_FACTS, BLOCK_FACTS = facts("LOOP"), facts("BLOCK")


def tir_loop(loop):
    for key in LOOP_FACTS:
        if loop[key] is None:
            if loop["blocks"]:
                yield f"{key}: not decided, {loop['reasons'][key]}"
        else:
            yield key if loop[key] else f"not {key}: {loop['reasons'][key]}"


def tir_block(block):
    for v in block["iter_vars"]:
        if v.get("inferred", v["type"]) != v["type"]:
            yield f"{v['name']} is declared {v['type']}, the body makes it {v['inferred']}"
    for key in ("complete", "reduction"):
        verdict = block[key]
        if key == "reduction" and block["complete"]["is"]:
            continue
        yield key if verdict["is"] else f"not {key} ({verdict['violates']}): {verdict['reason']}"
    if block["reducer"] and not block["reduction"]["is"]:
        yield f"incremental: {block['reducer']}"
    bijective = block.get("bijective")
    if bijective:
        how = "by the rule" if bijective["by_rule"] else "exactly"
        yield {
            "yes": f"validatable {how}",
            "no": f"not validatable: {bijective.get('witness')}",
        }.get(bijective["is"], f"perhaps validatable: {bijective.get('reason')}")
    for key in BLOCK_FACTS:
        if block.get(key) is False:
            yield f"no {key}: {block['reasons'][key]}"


def tir_function(function):
    names = [b["name"] for b in function["blocks"]]
    loops = [x["var"] for x in function["loops"]]
    for d in function["dependencies"]:
        yield f"{d['kind']} {d['src_name']} -> {d['dst_name']}: {d['buffer']}"
    for m in function["moves"]:
        why = "yes" if m["is"] else f"no ({m['first']['violates']}): {m['first']['reason']}"
        if m["is"] and not m["first"]["is"]:
            why = "yes, by the second set of checks"
        yield f"{m['primitive']} {names[m['block_index']]} under {loops[m['loop_index']]}: {why}"


def tir_lines(lines, tir, after):
    for function in tir.get("functions", []):
        last = 0

        def put(line, said):
            indent = " " * (len(lines[line]) - len(lines[line].lstrip()))
            after.setdefault(line, []).append(f"{indent}#! {said}")

        on_line = {}
        for loop in function["loops"]:
            if loop.get("range"):
                on_line.setdefault(loop["range"]["start"]["line"], []).append(loop)
        for line, loops in on_line.items():
            for loop in loops:
                name = f"{loop['var']}: " if len(loops) > 1 else ""
                for said in tir_loop(loop):
                    put(line, name + said)
        for block in function["blocks"]:
            if block.get("range") and "complete" in block:
                for said in tir_block(block):
                    put(block["range"]["start"]["line"], said)
            last = max(last, (block.get("range") or {}).get("end", {}).get("line", 0))
        while last + 1 < len(lines) and lines[last + 1].startswith("  "):
            last += 1
        for said in tir_function(function):
            put(last, said)
        root = function["blocks"][0]
        if root["stage_pipeline"] is False:
            put(last, f"no stage pipeline: {root['reasons']['stage_pipeline']}")


def annotate(text, check, infer, tir=None):
    """The file with its `#!` lines as rlx would have them now."""
    lines = text.split("\n")
    after = {}
    tir_lines(lines, tir or {}, after)
    shown = [d for d in (check or {}).get("diagnostics", []) if d["code"] != "RLX0217" or "# rlx-golden: unused" in text]
    for d in sorted(shown, key=lambda d: (d["range"]["start"]["line"], d["range"]["start"]["character"])):
        at, out = diagnostic_lines(lines, d)
        after.setdefault(at, []).extend(out)
    for module in (infer or {}).get("modules", []):
        for function in module.get("functions", []):
            for b in function.get("bindings", []) or []:
                if not (b.get("range") or {}).get("end"):
                    continue
                end = min(b["range"]["end"]["line"], len(lines) - 1)
                start = lines[min(b["range"]["start"]["line"], len(lines) - 1)]
                indent = start[: len(start) - len(start.lstrip())]
                said = f"{indent}#! {b['name']}: {b['struct_info']}"
                if b.get("deduced") not in (None, b["struct_info"]):
                    said += f"   (deduced {b['deduced']})"
                after.setdefault(end, []).append(said)
    out = []
    for i, line in enumerate(lines):
        out.append(line)
        out.extend(after.get(i, []))
    return "\n".join(out)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--update", action="store_true")
    p.add_argument("paths", nargs="*", type=pathlib.Path)
    a = p.parse_args()
    files = []
    for path in a.paths or [HERE]:
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    files = [f.resolve() for f in files if f.resolve() != pathlib.Path(__file__).resolve()]
    there = commands() & {"check", "infer", "tir"}
    if not files:
        print("0 passed, 0 failed, 0 skipped")
        return 0
    if not there:
        print(f"no rlx check and no rlx infer yet\n0 passed, 0 failed, {len(files)} skipped")
        return 0

    with tempfile.TemporaryDirectory() as tmp:
        wanted = {"check": [], "infer": [], "tir": []}
        plain, golden = {}, {}
        for n, f in enumerate(files):
            golden[f] = f.read_bytes().decode("utf-8")
            kept = [x for x in golden[f].split("\n") if not OURS.match(x)]
            plain[f] = "\n".join(kept)
            name = f"{n}.py"
            (pathlib.Path(tmp) / name).write_bytes(plain[f].encode("utf-8"))
            only = re.search(r"^# rlx-golden: *(\w+)", plain[f], re.M)
            for c in there - {"tir"} if not only else there & {only.group(1)}:
                wanted[c].append(name)
        answers, failures = {}, {}
        for c, names in wanted.items():
            if names:
                answers[c], failed = ask_all(c, names, tmp)
                failures.update(failed)

    passed = failed = 0
    for n, f in enumerate(files):
        name = f"{n}.py"
        shown = os.path.relpath(f, ROOT)
        if name in failures:
            failed += 1
            print(f"FAILED {shown}: {failures[name]}")
            continue
        text = annotate(plain[f], answers.get("check", {}).get(name), answers.get("infer", {}).get(name), answers.get("tir", {}).get(name))
        if text == golden[f]:
            passed += 1
        elif a.update:
            f.write_bytes(text.encode("utf-8"))
            print(f"updated {shown}")
            passed += 1
        else:
            failed += 1
            print(f"FAILED {shown}   (make update rewrites it)")
            diff = difflib.unified_diff(golden[f].split("\n"), text.split("\n"), "expected", "now", lineterm="", n=2)
            print("\n".join(list(diff)[:60]))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
