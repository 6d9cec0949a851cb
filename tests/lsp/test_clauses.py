"""README.md names what holds the server to each clause: each of them is there."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
ROW = re.compile(r"^\| \d+\.\d+ \| (.+?) \| (.+) \|$")


def named(held_by):
    """(file, test) of a row's last column: `FILE`: test, test; `FILE`: test."""
    for group in held_by.split("; "):
        file, _, tests = group.partition(": ")
        for test in tests.split(", "):
            yield file.strip("`"), test


def missing(rows):
    texts = {}
    for what, held_by in rows:
        for file, test in named(held_by):
            text = texts.setdefault(file, (HERE / file).read_text() if (HERE / file).is_file() else "")
            if not re.search(rf"\b{re.escape(test)}\b", text):
                yield what, file, test


def test_what_a_clause_names_is_there():
    rows = [found.groups() for line in (HERE / "README.md").read_text().split("\n") if (found := ROW.match(line))]
    assert len(rows) > 40
    assert list(missing(rows)) == []


def test_what_is_not_there_is_told():
    assert list(missing([("one", "`test_clauses.py`: missing, no_such" "_test"), ("two", "`no_such_file.py`: missing")])) == [
        ("one", "test_clauses.py", "no_such" + "_test"), ("two", "no_such_file.py", "missing")]
