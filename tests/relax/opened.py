#!/usr/bin/env python3
"""Programs that TVM takes, with numbers and dtypes behind names that Python alone knows: they stay free of errors.

    tests/relax/opened.py [SEED] [COUNT] [SHARE]

Takes COUNT programs of ../shared/corpus/relax, puts SHARE of the numbers and dtypes of their Relax functions behind
imported names, their members, items and sums, and compares what rlx says of a program with what it says of the original: nothing may be new.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RLX = os.environ.get("RLX", str(HERE.parents[1] / "build" / "rlx"))
CORPUS = HERE.parents[2] / "shared" / "corpus" / "relax"
DTYPE = r'"(?:float|int|uint|bool|bfloat)\d*"'
TOKEN = re.compile(DTYPE + r'|"[^"]*"|\'[^\']*\'|[\d.]+e[-+]?\d+|(?<![\w.])\d+(?![\w.])')
LITERAL_ONLY = re.compile(r"R\.(Prim|dtype|str|prim_value|dataflow)\(\s*$")
FORMS = [  # each has names of its own, so that one value of each makes all of them the number that stood there
    "{}", "{}", "{}", "cfg.{}", "cfg.model.{}", "{}_i[0]", "cfg['{}']", "len({}_l)", "int({}_t)", "max({}_m, 1)", "{}_p + 1", "(1 + {}_p)", "{}_q // cfg.heads",
]
FINDING = re.compile(r"(.*?\.py):(\d+):\d+: (error|warning)\[(RLX\d+)\]: (.*)")


def opened(text, rng, share):
    """The text with names for values, or None where there was nothing to replace."""
    names, lines, in_primfunc = set(), [], False

    def name_of(match):
        token = match.group(0)
        is_dtype = re.fullmatch(DTYPE, token)
        is_text = token[0] in "\"'" and not is_dtype
        if is_text or (not is_dtype and "e" in token) or rng.random() > share:
            return token
        if LITERAL_ONLY.search(match.string[: match.start()]):
            return token
        name = ("D_" if is_dtype else "N") + re.sub(r"\W", "", token)
        if rng.random() > 0.7:
            name += f"_{rng.randrange(99)}"
        names.add(name)
        if is_dtype:
            return rng.choice(["{}", "{}", "cfg.{}", "{}.lower()", "str({})", "DT['{}']"]).format(name)
        if token.isdigit() and int(token) > 0:
            form = rng.choice([*FORMS, "{}_h * 2", "{}_h + {}_h"] if int(token) % 2 == 0 else FORMS).replace("{}", name)
            names.update(re.findall(r"\bN\w+", form))
            return form
        return name

    for line in text.split("\n"):
        word = line.strip()
        if word.startswith("@T.prim_func"):
            in_primfunc = True
        elif word.startswith(("@", "class ")):
            in_primfunc = False
        keeps = (
            in_primfunc
            or word.startswith(("#", "from ", "import"))
            or "= T." in line
            or "module_" in line
            or "vdevice" in line
            or re.search(r"= \w+\[\d+\]", line)
        )
        lines.append(line if keeps else TOKEN.sub(name_of, line))
    if not names:
        return None
    first = next((i for i, line in enumerate(lines) if line.startswith(("from tvm", "import"))), 0)
    lines.insert(first, "from elsewhere import cfg, DT, " + ", ".join(sorted(names)))
    return "\n".join(lines)


def findings(files):
    found = {}
    for i in range(0, len(files), 200):
        command = [RLX, "check", "--no-cache", "--isolated", "--format=concise", "--show=warning"]
        out = subprocess.run(command + files[i : i + 200], capture_output=True, text=True).stdout
        for line in out.splitlines():
            match = FINDING.match(line)
            if match:
                found.setdefault(match[1], []).append((match[4], f"{match[2]}: {match[4]} {match[5]}"))
    return found


def main():
    seed, count = (int(arg) for arg in (sys.argv[1:] + ["1", "600"][len(sys.argv) - 1 :])[:2])
    share = float(sys.argv[3]) if len(sys.argv) > 3 else 0.5
    rng = random.Random(seed)
    files = sorted(f for part in ("as-written", "stripped", "printed") for f in CORPUS.glob(f"{part}/*.py"))
    rng.shuffle(files)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for file in files:
            text = file.read_text()
            made = None if "metadata[" in text else opened(text, rng, share)
            if made:
                path = os.path.join(folder, file.name)
                pathlib.Path(path).write_text(made)
                pairs.append((str(file), path))
            if len(pairs) == count:
                break
        before, after = findings([a for a, _ in pairs]), findings([b for _, b in pairs])
        for original, path in pairs:
            known = {code for code, _ in before.get(original, [])}
            new = [text for code, text in after.get(path, []) if code not in known]
            failed += bool(new)
            for text in new[:3]:
                print(f"{os.path.basename(path)} (seed {seed}): {text}")
        print(f"{len(pairs) - failed} passed, {failed} failed, {0 if pairs else 1} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
