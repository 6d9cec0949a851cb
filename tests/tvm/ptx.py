"""Makes the rows of analyzer/words/ptx.def: the PTX instructions that T.ptx of TVM 0.27 has.

    PYTHON_0_27 tests/tvm/ptx.py > analyzer/words/ptx.def

PYTHON_0_27 has an apache-tvm of that version. Every choice of modifiers is tried against the wheel's own table; takes some minutes.
"""
import itertools
import string

from tvm.backend.cuda.ptx.table import TABLE, mods, operand_dtypes, operand_layout, operand_space, operand_type

HEADER = """// The instructions of T.ptx in TVM 0.27, made by tests/tvm/ptx.py from the table of the wheel.
//
// RLX_PTX(family, slots, operands, graph): one form of an instruction. `T.ptx.family.word.word(operand, …)`: each word fills the first slot that is free and lists it.
//   slots     `name=word word`, separated by `|`; `?` behind the name: it may stay empty
//   operands  lists of operands that some choice of words takes, separated by `|`. An operand is a letter, for a register a second one that names its dtypes,
//             and, where it is a group of registers, how many:
//             r a register that is read, w one that is written, each as a capital where it takes T.ptx.SINK; i a number in the text of the instruction, p a pointer,
//             a an address, s one in shared memory, t one in tensor memory, each as a capital where it takes T.ptx.addr
//   graph     which list a choice of words takes: nodes separated by blanks, the first asks the first slot. A node has one item for each word of its slot, before
//             them one for no word where it may stay empty: the number of the node that asks the next slot, at the last slot that of the list, `-`: words that
//             do not go together. `x*n`: n times x.
// Sorted by family.
//
// RLX_PTX_DTYPES(letter, dtypes): what a register takes, the dtype first that a number of Python becomes; `pred`: a predicate.
"""
DTYPES = {}


def letters(layout, chosen):
    out = ""
    for slot, _, lanes in layout:
        if slot.kind == "reg":
            sinks = slot.sinkable(chosen) if callable(slot.sinkable) else slot.sinkable
            taken = "pred" if operand_type(slot, chosen) == "pred" else " ".join(operand_dtypes(slot, chosen))
            kind = "r" if slot.rw == "r" else "w"
            kind = (kind.upper() if sinks else kind) + DTYPES.setdefault(taken, string.ascii_letters[len(DTYPES)])
        elif slot.kind == "addr":
            space = operand_space(slot, chosen)
            kind = "s" if space.startswith("shared") else "t" if space == "tmem" else "a"
            kind = kind.upper() if slot.allow_imm_offset else kind
        else:
            kind = {"imm": "i", "ptr": "p"}[slot.kind]
        out += (kind + (str(lanes) if lanes > 1 else "")) * bool(lanes)
    return out


def packed(items):
    return ",".join(f"{k}*{n}" if n > 1 else str(k) for k, g in itertools.groupby(items) for n in [len(list(g))])


def form(entry):
    """(operand lists, nodes) of a form; the first node asks the first slot."""
    lists, levels = {}, [{} for _ in entry.slots]

    def leaf(words):
        chosen = mods(entry, words)
        if entry.check is not None and entry.check(chosen):
            return "-"
        return lists.setdefault(letters(operand_layout(entry, chosen), chosen), len(lists))

    def node(at, words):
        if at == len(entry.slots):
            return leaf(words)
        slot = entry.slots[at]
        items = tuple(node(at + 1, (*words, word)) for word in ([None] if slot.optional else []) + list(slot.choices))
        return levels[at].setdefault(items, (at, len(levels[at])))

    root = node(0, ())
    number = {(at, k): n for n, (at, k) in enumerate((at, k) for at, level in enumerate(levels) for k in range(len(level)))}
    nodes = [packed([number.get(i, i) for i in items]) for level in levels for items in level]
    return list(lists), nodes or [str(root)]


def main():
    rows = []
    for entry in TABLE.values():
        slots = "|".join(f"{s.name}{'?' if s.optional else ''}={' '.join(s.choices)}" for s in entry.slots)
        lists, nodes = form(entry)
        rows.append((entry.family, f'RLX_PTX("{entry.family}", "{slots}", "{"|".join(lists)}", "{" ".join(nodes)}")'))
    print(HEADER, end="")
    for dtypes, letter in DTYPES.items():
        print(f"RLX_PTX_DTYPES('{letter}', \"{dtypes}\")")
    for _, row in sorted(rows, key=lambda r: r[0].encode()):
        print(row)


if __name__ == "__main__":
    main()
