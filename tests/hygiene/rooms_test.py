#!/usr/bin/env python3
"""Does `make layers` see what it should? Small houses are held against a small table; then the names that the check finds
in the sources are compared with those in the library that was built (an argument: the archive).
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = """[folders]
base/ | | the ground
house/ | base | rooms
house/cellar/ | | below
house/attic/ | | above
house/* | | the face
shop/ | base house | knows the house
[private]
house/cellar/ | the house's own
[libraries]
isl | include isl/ | house/cellar/set*
bytes | name rlx_bytes | base/*
[limits]
house/* | 1
[circles]
house/attic/ | egg.c hen.c | one comes from the other
"""
SOUND = {
    "base/ground.h": "int rlx_bytes(void);\nint rlx_ground(void);\n",
    "base/ground.c": '#include "base/ground.h"\nint rlx_bytes(void) { return 1; }\nint rlx_ground(void) { return rlx_bytes(); }\n',
    "house/cellar/wine.h": "int rlx_wine(void);\n",
    "house/cellar/wine.c": '#include "house/cellar/wine.h"\n// rlx_roof() is only spoken of, "rlx_roof" too\nint rlx_wine(void) { return 2; }\nstatic int rlx_own(void) { return 1; }\nconst int rlx_years[] = {1, 2};\n',
    "house/attic/roof.h": "int rlx_roof(void);\nint rlx_hen(int n);\nint rlx_egg(int n);\n",
    "house/attic/roof.c": '#include "house/attic/roof.h"\n#include "house/cellar/wine.h"\nint rlx_roof(void) { return rlx_wine(); }\n',
    "house/attic/hen.c": '#include "house/attic/roof.h"\nint rlx_hen(int n) { return rlx_egg(n); }\n',
    "house/attic/egg.c": '#include "house/attic/roof.h"\nint rlx_egg(int n) { return n ? rlx_hen(n - 1) : 0; }\n',
    "house/house.h": '#include "house/attic/roof.h"\nint rlx_door(void);\n',
    "house/house.c": '#include "house/house.h"\nint rlx_door(void) { return rlx_roof(); }\n',
    "shop/shop.c": '#include "house/house.h"\nint rlx_shop(void);\nint rlx_shop(void) { return rlx_door() + rlx_wine(); }\n',
}
# What is put into the house, and what the check must say: None, that nothing is wrong.
CASES = [
    ({}, None),
    ({"house/cellar/mouse.c": '#include "house/attic/roof.h"\n'}, "house/cellar/mouse.c:1: includes house/attic/roof.h"),
    ({"house/cellar/mouse.c": "\nint rlx_roof(void);\nint rlx_mouse(void) { return rlx_roof(); }\n"}, "house/cellar/mouse.c:2: uses rlx_roof, which house/attic/roof.c defines"),
    ({"house/cellar/mouse.c": "int (*rlx_mouse)(void) = rlx_roof;\n"}, "house/cellar/mouse.c:1: uses rlx_roof"),
    ({"house/cellar/mouse.c": "#define UP(x) rlx_roof(x)\n"}, "house/cellar/mouse.c:1: uses rlx_roof"),
    ({"house/cellar/mouse.h": "int rlx_roof(void);\n"}, "house/cellar/mouse.h:1: declares rlx_roof"),
    ({"house/cellar/mouse.h": "static inline int rlx_mouse(void) {\n  return rlx_roof();\n}\n"}, "house/cellar/mouse.h:2: uses rlx_roof"),
    ({"house/cellar/all.def": "ROW(roof)\n", "house/cellar/mouse.c": '#define ROW(x) &rlx_##x,\n#include "house/cellar/all.def"\n'}, "house/cellar/mouse.c:1: uses rlx_roof"),
    ({"house/attic/all.def": "ROW(wine)\n", "house/attic/rows.c": '#define ROW(x) &rlx_##x,\n#include "house/attic/all.def"\n'}, None),
    ({"house/attic/all.def": "ROW(bell)\n", "house/attic/bells.c": '#define ROW(x) const int rlx_##x = 1;\n#include "house/attic/all.def"\n', "house/cellar/mouse.c": "int rlx_mouse(void) { return rlx_bell; }\n"}, "house/cellar/mouse.c:1: uses rlx_bell, which house/attic/bells.c defines"),
    ({"house/attic/all.def": "#define LOUD(name) ROW(loud_##name)\nLOUD(bell)\n", "house/attic/bells.c": '#define ROW(x) const int rlx_##x = 1;\n#include "house/attic/all.def"\n', "house/cellar/mouse.c": "int rlx_mouse(void) { return rlx_loud_bell; }\n"}, "house/cellar/mouse.c:1: uses rlx_loud_bell, which house/attic/bells.c defines"),
    ({"house/attic/bells.c": "#define RINGS(f, n) int f(void) { return n; }\nRINGS(rlx_bell, 1)\n", "house/cellar/mouse.c": "int rlx_mouse(void) { return rlx_bell(); }\n"}, "house/cellar/mouse.c:1: uses rlx_bell, which house/attic/bells.c defines"),
    ({"house/attic/bat.c": '#include "house/house.h"\n'}, "house/attic/ stands below house/*"),
    ({"base/bat.c": "int rlx_bat(void) { return rlx_door(); }\n"}, "base/ may know nothing of ours"),
    ({"house/attic/bat.c": '#include "shop/shop.c"\n'}, "house/ may know base"),
    ({"shop/till.c": '#include "house/cellar/wine.h"\n'}, "house/cellar/ is private to house/"),
    ({"house/cellar/wine_impl.h": "\n", "house/attic/bat.c": '#include "house/cellar/wine_impl.h"\n'}, "private to its room"),
    ({"house/attic/bat.c": "#include <isl/set.h>\n"}, "house/attic/bat.c:1: touches isl"),
    ({"house/cellar/sets.c": "#include <isl/set.h>\n"}, None),
    ({"shop/till.c": "int rlx_till(void) { return rlx_bytes(); }\n"}, "shop/till.c:1: touches bytes"),
    ({"house/loft/bat.c": "\n"}, "house/loft/: no row"),
    ({"house/gate.c": "\n"}, "2 .c files in house/*, at most 1"),
    ({"house/attic/hen.c": "int rlx_hen(int n) { return n; }\n"}, "not in this circle any more: egg.c hen.c"),
    ({"house/cellar/mouse.c": "int rlx_mouse(void) { return rlx_wine(); }\n", "house/cellar/wine.c": "int rlx_wine(void) { return rlx_mouse(); }\n"}, "house/cellar/: these files call each other in a circle: mouse.c wine.c"),
    ({"base/a.h": '#include "base/b.h"\n', "base/b.h": '#include "base/a.h"\n'}, "headers include each other in a circle: base/a.h base/b.h"),
]


def try_case(change, expected):
    with tempfile.TemporaryDirectory() as house:
        for path, text in {**SOUND, **change, "tools/rooms.txt": TABLE}.items():
            os.makedirs(os.path.dirname(os.path.join(house, path)), exist_ok=True)
            with open(os.path.join(house, path), "w") as out:
                out.write(text)
        for name in ("rooms.py", "layers.py"):
            shutil.copy(os.path.join(ROOT, "tools", name), os.path.join(house, "tools", name))
        run = subprocess.run([sys.executable, os.path.join(house, "tools/layers.py")], capture_output=True, text=True)
    said = run.stdout + run.stderr
    if expected is None and run.returncode == 0 and not said:
        return True
    if expected and run.returncode == 1 and expected in said:
        return True
    print(f"with {change}\n  expected: {expected or 'nothing'}\n  exit {run.returncode}, said: {said}")
    return False


def built_names(archive):
    """Whether every name of ours in the archive is found in the sources."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(ROOT, "tools"))
    import rooms

    house = rooms.House(rooms.Table())
    lines = subprocess.run(["nm", "--defined-only", "-g", archive], capture_output=True, text=True).stdout.splitlines()
    built = {line.split()[2] for line in lines if len(line.split()) == 3}
    missed = sorted(n for n in built if not n.startswith(("tree_sitter_", "_", ".")) and n not in house.owner)
    if missed or not built:
        print(f"{archive}: tools/rooms.py does not see where these are defined: {' '.join(missed) or '(the archive is empty)'}")
    return bool(built) and not missed


if __name__ == "__main__":
    good = [try_case(change, expected) for change, expected in CASES]
    good += [built_names(archive) for archive in sys.argv[1:]]
    sys.exit(0 if all(good) else 1)
