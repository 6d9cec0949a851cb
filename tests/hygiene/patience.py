#!/usr/bin/env python3
"""No test depends on how fast the machine is, or how busy: a limit against a hang is of minutes, and no time that went by is compared
with a number. Exit code 1 and a line for each place that does."""
import re, sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LEAST = 300  # seconds
SECONDS = r"(\d+(?:\.\d+)?)"
# What gives a limit, in seconds or, in the third group of patterns, in milliseconds.
LIMITS = {".py": (rf"\btimeout={SECONDS}", rf"\.wait\({SECONDS}\)", rf"wait_for\(.*, {SECONDS}\)", rf"\bseconds={SECONDS}"),
          ".sh": (rf"^(?:.*[ (])?timeout (?:-\S+ )*{SECONDS} ",), ".el": (rf":timeout {SECONDS}",)}
MILLISECONDS = {".lua": (rf"vim\.wait\({SECONDS}", rf"_sync\(.*, {SECONDS}\)")}
# A time that went by and a number: both sides of a comparison.
COMPARED = re.compile(r"(?:monotonic|perf_counter|time\.time)\(\) - \w+ *[<>]=? *[\d.]|assertLess\((?:time\.)?(?:monotonic|perf_counter)\(\)")
# Not of `make test`: what is asked of TVM, and fuzzers, whose limits are what they look for.
ELSEWHERE = ("tvm", "fuzz", "hygiene")


def impatient(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for table, unit in ((LIMITS, 1), (MILLISECONDS, 1000)):
            for pattern in table.get(path.suffix, ()):
                for limit in re.findall(pattern, line):
                    if 0 < float(limit) / unit < LEAST: yield f"{path.relative_to(TOP)}:{number}: a limit of {limit}: {line.strip()}"
        if COMPARED.search(line): yield f"{path.relative_to(TOP)}:{number}: a time is compared with a number: {line.strip()}"


def main():
    files = [p for suffix in (*LIMITS, *MILLISECONDS) for p in (TOP / "tests").rglob("*" + suffix) if p.relative_to(TOP).parts[1] not in ELSEWHERE]
    wrong = [w for path in sorted(files) for w in impatient(path)]
    if len(files) < 100: wrong.append(f"only {len(files)} files of tests were found")
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
