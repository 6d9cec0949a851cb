"""Conversations about values: what terminal.py has, for looking at them and for what is only there at a terminal."""
CASES = {
    "a command of the shell, as typed": [("!echo o''k; exit 3\r", "ok\r\n"), ("", "# exit 3")],
    "no command of the shell from a paste": [("\033[200~!echo o''k\033[201~\r", "error: !command is only run when it is typed at a terminal")],
    "a picture in half blocks": [(":image [[0., 1.], [1., 0.]]\r", "\033[38;5;16m"), ("", "▀"), ("", "# 2 x 2, from 0 to 1")],
    "an earlier value and its number": [("arange(3)\r", "[0 1 2]"), ("_ * 2\r", "[0 2 4]"), ("_1 + _2\r", "[0 3 6]")],
    "help about a variable and a function": [("v = [1.5, 2.5]\r", "rlx> "), ("v?\r", 'v: R.Tensor((2,), dtype="float32")'), ("rows?\r", "def rows(")],
    "what / and % of integers give is said once": {"keys": [("k = R.const([-7])\r", "rlx> "), ("k / k\r", "note: `/` of integers is R.divide"), ("", "[1]"),
                                                           ("k % 4\r", "note: `%` is R.mod, whose"), ("", "[-3]"), ("random(1) / 2 > 1\r", "False")]},
    "digits": [("R.divide(R.const(1.0), R.const(3.0))\r", "0.33333334"), (":set precision 3\r", "rlx> "), ("_\r", "0.333\r\n")],
    "functions of the prompt are completed": [("x = aran\t(4)\r", "rlx> "), ("x\r", "[0 1 2 3]"), ("load\t\t", "values from"), ("", "load: the tensors of a .npy"), ("^U", ""), ("rando\t(2, \t", "random(d0, d1,"), ("se\t=3)\r", "")],
    "files in quotes of load behind a command": {"keys": [(':stats load("x.\t', "npy")], "files": {"x.npy": ""}},
    "files that load reads come first, what is said of a name is broken at blanks": {"keys": [("load('one.\t", "npy"), ("^U", ""), ("rando\t\t", "random: a tensor of that shape: floats in\r\n"), ("^U", "")],
                                                                                       "files": {"one.npy": "", "one.txt": ""}, "size": (40, 44)},
    "files in quotes of load": [("write:one.npy:x", ""), ("write:other.txt:x", ""), ("w = load('on\t", "e.npy")],
}
