"""Conversations about the session at a pseudo-terminal: pastes, history, interrupts, the editor."""
BIG = "".join(f'@R.function\ndef big{i}(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):\n    b = R.add(a, a)\n    return b\n\n' for i in range(800))
TWO = '@R.function\ndef one(a: R.Tensor((2,), "float32")):\n    return R.add(a, a)\n\n@R.function\ndef two(a: R.Tensor((2,), "float32")):\n    return one(a)\n\ntwo(R.ones((2,), "float32"))'
SLOW = 'x = R.ones((3000, 3000), "float32")\r'
HEAD = "from tvm.script import relax as R\n\n"
F, F2, G = (f'@R.function\ndef {name}(a: R.Tensor((2,), "float32")):\n    return R.{op}(a, a)\n\n\n' for name, op in [("f", "add"), ("f", "multiply"), ("g", "add")])
CASES = {
    "a session in dialect 0.27 refuses what is of 0.25": {"keys": [("n = TypeVar('n')\r", "rlx> "), ('R.call_tir(rows, (R.ones((64, 64), "float32"),), out_ty=R.Tensor((64,), "float32"))\r', "[64. 64."), ("", "rlx> "),
                                                            ('R.call_tir(rows, (R.ones((64, 64), "float32"),), out_sinfo=R.Tensor((64,), "float32"))\r', "is not in dialect 0.27, which has `out_ty=`")], "args": ["--dialect=0.27"]},
    ":edit goes on with what was refused, until it fits or is left alone": {
        "keys": [("write:ed:#!/bin/sh\n" + r'''n=$(cat "$HOME/n" 2>/dev/null); n=$((n + 1)); echo $n > "$HOME/n"
case $n in
1) sed -i 's/return x/return R.add(x)/' "$1";;
2) sed -i 's/R.add(x)/R.add(x, x)/' "$1";;
3) sed -i 's/R.add(x, x)/R.add(x, (/' "$1";;
4) sed -i 's/(x, (/(x, [/' "$1";;
6) sed -i 's/add/multiply/' "$1";;
*) : > "$1";;
esac
''', ""), (":edit f\r", "error[RLX"), ("", "# :edit f goes on with what was saved"), ("", "rlx> "), ("f([3.0])\r", "`f` is not defined"), ("", "rlx> "), (":edit f\r", "rlx> "), ("f([3.0])\r", "[6.]"), ("", "rlx> "),
                 (":edit f\r", "# :edit f goes on"), ("", "rlx> "), (":edit f\r", "# :edit f goes on"), ("", "rlx> "), (":edit f\r", "nothing was left in the file; f is as it was"), ("", "rlx> "), (":edit f\r", "rlx> "), ("f([3.0])\r", "[9.]"), ("", "rlx> ")],
        "env": {"EDITOR": "sh ./ed"}},
    "Ctrl-Z leaves the terminal to the shell, and the line is there again, as often as one likes": {
        "keys": [("x = [1.0, 2.0]\r", "rlx> "), ("x + 1", "x + 1"), ("^Z", "\033[?2004l"), ("", "it waits"), ("\r", "\033[?2004h"), ("", "rlx> x + 1"), (" + 2", "+ 2"), ("^Z", "it waits"), ("\r", "rlx> x + 1 + 2"),
                 ("^A", ""), ("x + ", ""), ("\r", "[5. 7.]"), ("", "rlx> "), (":time R.sin(R.const(1.0))\r", "median"), ("", "rlx> "), ("\033[200~x\nx + 1\n\033[201~\r", "[1. 2.]"), ("", "[2. 3.]"), ("", "rlx> "), ("^D", "it ended")],
        "shell": 'stty -tostop; "$0" repl --no-history; for i in 1 2; do echo it waits; read line; fg; done; echo it ended'},
    "a terminal that becomes narrow, and narrower, while a line is typed": {
        "keys": [("x = 1", "x = 1"), ("size:24:70", ""), ("1", "1"), ("size:24:30", ""), ("1" * 30, "1 \b1"), ("^U", ""), ("R.const(5)\r", "5"), ("", "rlx> ")], "size": (24, 80)},
    ":reload drops what left the file": [("write:m.py:" + HEAD + F + G, ""), (":load m.py\r", "rlx> "), (":funcs\r", "f(a: "), ("", "g(a: "), ("", "rlx> "), ("write:m.py:" + HEAD + F2, ""), (":reload\r", "g is gone\r\nf changed\r\nrlx> "),
                                         (":funcs\r", "f("), ("", "rlx> ")],
    "who no longer fits a file that is read again is told once, behind what changed": [
        ("write:m.py:" + HEAD + F + G, ""), (":load m.py\r", "rlx> "), ('@R.function\rdef both(a: R.Tensor((2,), "float32")):\r    return R.add(f(a), g(a))\r\r', "\r\nrlx> "),
        ("write:m.py:" + HEAD + F2, ""), (":reload\r", "g is gone\r\nf changed\r\nboth is stale:\r\n"), ("", "`g` is not defined"), ("", "^\r\nrlx> ")],
    ":watch reads a file again when it changes": [("write:m.py:" + HEAD + F, ""), (":watch m.py\r", "rlx> "), (":funcs\r", "f(a: "), ("", "rlx> "), ("R.ad", "R.ad"), ("write:m.py:" + HEAD + F2 + G, "f changed"), ("", "g is new"), ("", "R.ad"),
                                                  ('d(R.const(20), R.const(3))\r', "23"), ("", "rlx> ")],
    "two definitions and a call in one paste": [("\033[200~" + TWO + "\033[201~\r", "[2. 2.]"), ("", "rlx> "), (":funcs\r", "one("), ("", "two(")],
    "a paste of more than 64 KiB": [("\033[200~" + BIG + "\033[201~", "# pasted 9"), ("\r", "rlx> "), ('big799(R.ones((4,), "float32"))\r', "[2. 2. 2. 2.]"), ("", "rlx> "),
                                    ('big0(R.ones((4,), "float32"))\r', "[2. 2. 2. 2.]")],
    "statements typed line by line": [("if R.less(R.const(1), R.const(2)):\r", "...  "), ('    z = R.ones((2,), "float32")\r', "...  "), ("else:\r", "...  "),
                                      ('    z = R.zeros((2,), "float32")\r', "...  "), ("\r", "rlx> "), ("z\r", "[1. 1.]"), ('a = R.add(z, z); b = R.add(a, z)\r', "rlx> "), ("b\r", "[3. 3.]")],
    "a statement behind a block ends it": [("@R.function\r", "...  "), ('def f(a: R.Tensor((2,), "float32")):\r', "...  "), ("    return a\r", "...  "), ('f(R.ones((2,), "float32"))\r', "[1. 1.]")],
    "Ctrl-C drops what was begun": [("@R.function\r", "...  "), ("^C", "rlx> "), ("R.const(3)\r", "3"), ("", "rlx> ")],
    "Ctrl-C ends :time, and the next line counts": [(SLOW, "rlx> "), (":time R.matmul(R.matmul(R.matmul(x, x), R.matmul(x, x)), R.matmul(x, x))\r", "\n"), ("once it runs", ""), ("^C", ": interrupted"), ("", "rlx> "),
                                                    ("R.const(7)\r", "7"), ("", "rlx> ")],
    "Ctrl-C ends any command, names nothing internal, and the next line counts": {
        "keys": [(SLOW, "rlx> "), ("x.shape\r", "[3000, 3000]"), ("", "rlx> ")] + [step for command in ("", ":trace ", ":profile ", ":plot ", ":stats ", ":compare x, ")
                                     for step in ((command + "R.matmul(R.matmul(R.matmul(x, x), R.matmul(x, x)), R.matmul(x, x))\r", "\n"), ("once it runs", ""), ("^C", "rlx> "), ("R.const(6)\r", "6"), ("", "rlx> "))]
        + [("R.const(7)\r", "7"), ("", "rlx> ")], "never": "__entry__"},
    "!command in a paste of several lines says why not": [("\033[200~!echo one\n!echo two\033[201~\r", "only run when it is typed"), ("", "only run when it is typed"), ("", "rlx> ")],
    "$EDITOR changes a definition": {"keys": [("\033[200~" + G + "\033[201~\r", "\r\nrlx> "), (":edit g\r", "g changed\r\n"), ("", "rlx> "), ('g(R.const([3., 4.], "float32"))\r', "[ 9. 16.]")],
                                     "env": {"EDITOR": "sed -i s/add/multiply/"}},
    "$EDITOR changes the module that a function is in": {"keys": [("\033[200~@I.ir_module\nclass M:\n    @R.function\n    def f(a: R.Tensor((2,), \"float32\")):\n        return R.add(a, a)\n\033[201~\r", "\r\nrlx> "),
                                                               (":edit M.f\r", "M changed\r\n"), ("", "rlx> "), ("M.f([3.0, 4.0])\r", "[ 9. 16.]"), (":edit f\r", "M is as it was")], "env": {"EDITOR": "sed -i s/add/multiply/"}},
    "the prompt's colour ends with it": [("R.const(5)\r", "\033[1;32mrlx>\033[0m ")],
    "the last line is there again": [("R.const(41)\r", "41"), ("", "rlx> "), ("^P", "R.const(41)"), ("\r", "41"), ("", "rlx> ")],
    ":edit without an editor says so": [(":edit rows\r", "error: the editor no-such-editor failed"), ("", "rlx> ")],
    "a string is shown where it is typed alone": [('"""text"""\r', '"text"'), ("", "rlx> ")],
}
