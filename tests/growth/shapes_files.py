"""Shapes of input: many files that import from each other or ask much each; more rows of shapes.SHAPES."""
from shapes import HEAD, lines, main, shape


@shape(120, ("files",))
def imports_from_all_around(n):
    def script(i):
        others = [(i + k) % n for k in range(1, 64)]
        return f"A{i} = 2\n" + "".join(f"from m{k} import A{k}\n" for k in others) + main(
            "        y = R.reshape(x, (" + ", ".join(f"A{k}" for k in others) + "))\n", "y")
    return {**{f"m{i}.py": script(i) for i in range(n)}, "args": ["check", "."]}


@shape(1500, ("files",))
def questions_without_an_answer(n):
    """What cannot be shown took the longest: all of a search."""
    return {**{f"m{i}.py": "from config import a, b\n" + main("        y = R.reshape(x, (a, b))\n", "y") for i in range(n)}, "args": ["check", "."]}


@shape(6000)
def decorators_that_are_refused(n):
    return HEAD + lines(n, '@R.function\ndef f{i}(x: R.Tensor):\n    return z{i}\n@(1 + "a")\ndef g{i}():\n    pass\n')


# ---- many of something in one statement, or one of something in many

@shape(20000)
def attributes_in_one_call(n):
    return main("        R.func_attr({" + ", ".join(f'"k{i}": {i}' for i in range(n)) + "})\n")


@shape(300)
def lists_repeated(n):
    """Of each as many items as one may have; all are used."""
    names = "".join(f"L{i};" for i in range(1, n + 1))
    return HEAD + lines(n, "L{i} = [{i}] * 8000\n") + main(f"        {names}y = R.reshape(x, L{n})\n").replace(HEAD, "")


@shape(50000)
def stars_of_one_tuple(n):
    return main("        t = (x, x)\n        y = R.concat((" + "*t, " * n + "))\n")
