"""Shapes of what is piped into the REPL: entries of many lines, sessions of many entries."""
from shapes import shape


def piped(text):
    return {"input": text, "args": ["repl", "--keep-going", "--no-history"]}


# ---- one entry of many lines

@shape(40000, ("files",))
def brackets_line_by_line(n):
    return piped("x = [\n" + "".join(f"{i},\n" for i in range(n)) + "]\n")


@shape(40000, ("files",))
def string_line_by_line(n):
    return piped('"""\n' + "some text\n" * n + '"""\n')


@shape(40000, ("files",))
def strings_in_brackets_line_by_line(n):
    return piped("x = [\n" + '"""a\nb""",\n' * (n // 2) + "]\n")


@shape(40000, ("files",))
def backslashes_line_by_line(n):
    return piped("x = [1" + "".join(f", {i} \\\n" for i in range(n)) + "]\n")


@shape(40000, ("files",))
def decorators_line_by_line(n):
    return piped("".join(f"@a{i}\n" for i in range(n)))


@shape(20000, ("files",))
def clauses_line_by_line(n):
    return piped("if True:\n    pass\n" + "".join(f"elif {i}:\n    pass\n" for i in range(n)) + "\n")


@shape(60000, ("files",))
def comments_behind_a_block(n):
    return piped("if True:\n    pass\n" + "# comment\n" * n)
