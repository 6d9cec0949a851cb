"""Conversations about how the REPL is started and shown: colours, sizes of the terminal, the pager, files that change."""
HEAD = "from tvm.script import relax as R\n\n"
F = '@R.function\ndef f(a: R.Tensor((2,), "float32")):\n    return R.add(a, a)\n'
LONG = [('x = R.reshape(arange(800), (400, 2))\r', "rlx> "), (":set show-sinfo off\r", "rlx> ")]
CASES = {
    "another size of the terminal while something runs": {  # a line of 40 columns has 13 elements of 2 columns with a blank between, one of 80 all
        "keys": [("arange(20)\r", " 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19]"), ("", "rlx> "), ("!echo one; sleep 0.3; echo two\r", "one"), ("size:24:40", "two"), ("", "rlx> "),
                 ("arange(20)\r", "11 12\r\n 13 14"), ("", "rlx> ")], "size": (24, 80)},
    "NO_COLOR is heeded everywhere": {"keys": [("x = R.const(1.0)\r", "rlx> "), (":ir R.add(x, R.const(2.0))\r", "R.const(2.0"), ("R.nn.softm\t", ""), ("(x, \t\t", "R.nn.softmax"), ("^U", ""), (":image [[0., 1.]]\r", "# 1 x 2"), ("", "rlx> ")],
                                      "env": {"NO_COLOR": "1"}, "never": "\033[3"},
    "an empty NO_COLOR is none": {"keys": [(":ir R.add(R.const(1.0), R.const(2.0))\r", "\033[36mR.add\033[0m")], "env": {"NO_COLOR": ""}},
    "a dumb terminal gets no colours": {"keys": [(":ir R.add(R.const(1.0), R.const(2.0))\r", "R.add"), ("", "rlx> ")], "env": {"TERM": "dumb"}, "never": "\033[36m"},
    "a long value goes through the pager": {"keys": LONG + [("x\r", "PAGED 400"), ("", "rlx> ")], "size": (24, 80), "env": {"PAGER": "awk '{n++} END {print \"PAGED\", n}'"}} ,
    "long code goes through the pager": {"keys": [(":llvm R.matmul(R.ones((64, 64), 'float32'), R.ones((64, 64), 'float32'))\r", "PAGED"), ("", "rlx> ")], "size": (10, 80), "env": {"PAGER": "sed -n '1s/.*/PAGED/p'"}},
    "long Relax goes through the pager": {"keys": [(":ir " + "R.exp(" * 20 + "R.const(1.0)" + ")" * 20 + "\r", "PAGED"), ("", "rlx> ")], "size": (10, 200), "env": {"PAGER": "sed -n '1s/.*/PAGED/p'"}},
    "as many candidates as the screen holds": {"keys": [("T.\t", "dtypes"), ("", "… and "), ("", " more"), ("", "rlx> T.")], "size": (24, 60)},
    "carets are as wide as what they point at": [("日本 + 1\r", "\n  ^^^^\r"), ("", "rlx> ")],
    "of a long line what is around the place": {"keys": [("R.const(" + "1 + " * 2000 + "nothing)\r", "1 + …"), ("", "rlx> ")], "never": "1 + nothing)\r\n  "},
    "what fits is not paged": {"keys": [("arange(3)\r", "[0 1 2]"), ("", "rlx> ")], "size": (24, 80), "env": {"PAGER": "sed 's/.*/PAGED/'"}, "never": "PAGED"},
    "the pager is a setting": {"keys": [(":set pager off\r", "rlx> "), ("R.reshape(arange(400), (100, 4))\r", "[396 397 398 399]]"), ("", "rlx> ")], "size": (24, 80), "env": {"PAGER": "sed 's/.*/PAGED/'"}, "never": "PAGED"},
    "a pager that is not there loses nothing": {"keys": [("R.reshape(arange(400), (100, 4))\r", "[396 397 398 399]]"), ("", "rlx> ")], "size": (24, 80), "env": {"PAGER": "no-such-pager"}},
    "values are as wide as the terminal": {"keys": [("arange(12) * 1000000\r", "[       0  1000000  2000000\r\n  3000000")], "size": (50, 32)},
    "--watch reads a file again when it changes": {"keys": [("f(R.ones((2,), 'float32'))\r", "[2. 2.]"), ("", "rlx> "), ("write:m.py:" + HEAD + F.replace("add", "multiply"), "f changed"), ("f(R.ones((2,), 'float32') * 3)\r", "[9. 9.]")],
                                                   "args": ["--watch", "m.py"], "files": {"m.py": HEAD + F}},
}
