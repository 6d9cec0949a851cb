"""Definition, hover and links across the modules of a project."""
import pytest
from lsprotocol import types as t

from pygls.exceptions import JsonRpcException

from session import applied, ask, here, open_text, place

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)

FILES = {
    "kernels.py": '''\
from tvm.script import ir as I, relax as R


@I.ir_module
class Library:
    @R.function
    def scale(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.multiply(x, R.const(2.0, "float32"))


def build(rows):
    return rows


WIDTH, HEIGHT = 3, 5
''',
    "pkg/__init__.py": "from .deep import *\nfrom kernels import build as make\n",
    "pkg/deep.py": "import kernels\nDEPTH = 7\nif DEPTH:\n    EVEN = 1\nelse:\n    EVEN = 2\n",
    "pkg/inner/__init__.py": "",
    "pkg/inner/leaf.py": "from ..deep import DEPTH\nfrom .. import deep as up\n",
}
SCRIPT = '''\
from tvm.script import ir as I, relax as R
from kernels import Library, build as assemble
import kernels, pkg.deep
import pkg.inner.leaf as leaf
from pkg import (
    DEPTH,
    make,
)

low = Library["scale"]
other = Library.scale
sizes = (kernels.WIDTH, kernels.HEIGHT, pkg.deep.EVEN, leaf.DEPTH, leaf.up.DEPTH, kernels.NOTHING)


def later():
    from pkg.deep import EVEN as even
    return assemble(even), make(DEPTH)


@R.function  # rlx: ignore[RLX0201, unused-binding, RLX9999]
def main(x: R.Tensor((DEPTH,), "float32")):
    return x
'''


@pytest.fixture
def project(client, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "model.py").write_text(SCRIPT)
    open_text(client, SCRIPT)
    return tmp_path


async def goes_to(client, root, needle, skip=0, inside=0, method="definition"):
    """`file:line text` of the one place that is answered; None: nothing is."""
    request = {"definition": client.text_document_definition_async, "implementation": client.text_document_implementation_async,
               "declaration": client.text_document_declaration_async}[method]
    params = {"definition": t.DefinitionParams, "implementation": t.ImplementationParams, "declaration": t.DeclarationParams}[method]
    found = await ask(request(params(**here(client, place(SCRIPT, needle, skip, inside)))))
    if found is None:
        return None
    path = root / found.uri.removeprefix(root.as_uri() + "/")
    line = path.read_text().split("\n")[found.range.start.line]
    return f"{path.relative_to(root)}:{found.range.start.line + 1} {line[found.range.start.character:found.range.end.character]}"


async def test_an_imported_name_leads_to_its_module(client, project):
    for needle, skip, inside, expected in [
            ("Library", 0, 2, "kernels.py:5 Library"), ("Library", 1, 0, "kernels.py:5 Library"), ("scale", 0, 1, "kernels.py:7 scale"),
            ("scale", 1, 1, "kernels.py:7 scale"), ("build", 0, 0, "kernels.py:11 build"), ("assemble", 0, 2, "kernels.py:11 build"),
            ("assemble", 1, 2, "kernels.py:11 build"), ("WIDTH", 0, 0, "kernels.py:15 WIDTH"), ("HEIGHT", 0, 5, "kernels.py:15 HEIGHT"),
            ("EVEN", 0, 1, "pkg/deep.py:6 EVEN"), ("EVEN", 1, 1, "pkg/deep.py:6 EVEN"), ("even)", 0, 1, "pkg/deep.py:6 EVEN"),
            ("DEPTH", 0, 0, "pkg/deep.py:2 DEPTH"), ("DEPTH", 1, 0, "pkg/deep.py:2 DEPTH"), ("DEPTH", 2, 0, "pkg/deep.py:2 DEPTH"),
            ("DEPTH,), ", 0, 0, "pkg/deep.py:2 DEPTH"), ("make", 0, 0, "kernels.py:11 build"), ("make", 1, 0, "kernels.py:11 build"),
            ("kernels import", 0, 1, "kernels.py:1 "), ("kernels.WIDTH", 0, 1, "kernels.py:1 "), ("pkg.deep\n", 0, 5, "pkg/deep.py:1 "),
            ("pkg.deep\n", 0, 1, "pkg/__init__.py:1 "), ("pkg.deep.EVEN", 0, 1, "pkg/__init__.py:1 "), ("inner", 0, 0, "pkg/inner/__init__.py:1 "),
            ("leaf\n", 0, 1, "pkg/inner/leaf.py:1 "), ("leaf.up", 0, 6, "pkg/deep.py:1 "), ("pkg import", 0, 0, "pkg/__init__.py:1 ")]:
        assert await goes_to(client, project, needle, skip, inside) == expected, (needle, skip)
    assert await goes_to(client, project, "scale", 1, 1, "implementation") == "kernels.py:7 scale"
    assert await goes_to(client, project, "Library", 1, 1, "declaration") == "model.py:2 Library"
    assert await goes_to(client, project, "NOTHING") is None
    assert await goes_to(client, project, "I, relax") == "model.py:1 I"  # no module of the project: its import


async def test_what_the_editor_holds_counts(client, project):
    text = "# a line more\n" + FILES["kernels.py"]
    uri = (project / "kernels.py").as_uri()
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, text)))
    found = await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, place(SCRIPT, "Library", 1)))))
    assert (found.uri, found.range.start.line) == (uri, 5)
    change = t.TextDocumentContentChangePartial(t.Range(t.Position(0, 0), t.Position(0, 0)), "# and one\n")
    client.text_document_did_change(t.DidChangeTextDocumentParams(t.VersionedTextDocumentIdentifier(2, uri), [change]))
    found = await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, place(SCRIPT, "Library", 1)))))
    assert found.range.start.line == 6


async def test_modules_that_import_each_other_end(client, project):
    (project / "pkg/deep.py").write_text("from kernels import GONE\n")
    (project / "kernels.py").write_text("from pkg.deep import GONE\nfrom pkg import *\n")
    text = "from kernels import GONE\nGONE\n"
    open_uri = (project / "circle.py").as_uri()
    (project / "circle.py").write_text(text)
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(open_uri, "python", 1, text)))
    found = await ask(client.text_document_definition_async(t.DefinitionParams(t.TextDocumentIdentifier(open_uri), t.Position(1, 1))))
    assert found.uri == open_uri and found.range.start.line == 0


async def test_modules_that_take_everything_of_three_others_end(client, project):
    for i in range(20):  # 3^16 ways from the first one
        (project / f"star{i}.py").write_text("".join(f"from star{(i + k) % 20} import *\n" for k in (1, 2, 3)))
    uri, text = (project / "stars.py").as_uri(), "from star0 import *\nnobody\n"
    (project / "stars.py").write_text(text)
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, text)))
    at = {"text_document": t.TextDocumentIdentifier(uri), "position": t.Position(1, 2)}
    assert not await ask(client.text_document_definition_async(t.DefinitionParams(**at)))
    assert not await ask(client.text_document_hover_async(t.HoverParams(**at)))


async def test_hover_shows_the_head_of_what_is_imported(client, project):
    for needle, skip, expected in [("scale", 1, 'def scale(x: R.Tensor((4,), "float32"))'), ("assemble", 1, "def build(rows)"), ("Library", 0, "class Library")]:
        found = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(SCRIPT, needle, skip)))))
        assert expected in found.contents.value and "kernels.py" in found.contents.value


async def test_links(client, project):
    found = await ask(client.text_document_document_link_async(t.DocumentLinkParams(t.TextDocumentIdentifier(client.uri))))
    lines = SCRIPT.split("\n")
    shown = [(lines[one.range.start.line][one.range.start.character:one.range.end.character], one.target.removeprefix(project.as_uri() + "/").split("/")[-1])
             for one in found]
    assert shown == [("kernels", "kernels.py"), ("kernels", "kernels.py"), ("pkg.deep", "deep.py"), ("pkg.inner.leaf", "leaf.py"), ("pkg", "__init__.py"),
                     ("pkg.deep", "deep.py"), ("RLX0201", "diagnostics.md#rlx0201-name-undefined"),
                     ("unused-binding", "diagnostics.md#rlx0217-unused-binding")]
    assert found[0].tooltip.endswith("kernels.py") and found[-2].tooltip == "RLX0201 name-undefined"


USERS = {
    "lib.py": SCRIPT.split("low =")[0].split("import kernels, pkg")[0] + '''
@I.ir_module
class Own:
    @R.function
    def scale(x: R.Tensor((4,), "float32")):
        return R.negative(x)


@I.ir_module
class Model:
    @R.function
    def forward(x: R.Tensor((4,), "float32")):
        cls = Model
        return cls.tail(x)

    @R.function
    def tail(x: R.Tensor((4,), "float32")):
        return R.nn.relu(x)

    @R.function
    def other(x: R.Tensor((4,), "float32")):
        return Model.tail(x)


def tail():
    return Own.scale, Model["tail"], "tail"
''',
    "near.py": 'from lib import Model, tail as last\nimport lib as l\npick = (Model["tail"], Model.tail, l.Model.tail, l.tail, last, "tail")\n',
    "far.py": "from near import Model as M\n\n\ndef use(tail=1):\n    return M.tail, tail\n",
    "deep/__init__.py": "from lib import *\n",
    "deep/star.py": "from lib import *\n\nnames = [Model.tail, tail]  # tail\n",
    "foreign.py": "class Model:\n    tail = 1\n\n\nvalue = Model.tail\n",
}


@pytest.fixture
def users(client, tmp_path):
    for name, text in {**FILES, **USERS}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    client.uri = (tmp_path / "lib.py").as_uri()
    open_text(client, USERS["lib.py"])
    return tmp_path


def edited(root, edit):
    """The lines that the edit changes, file by file, as they are then."""
    out = {}
    per_file = edit.changes or {c.text_document.uri: c.edits for c in edit.document_changes}
    for uri, edits in per_file.items():
        path = root / uri.removeprefix(root.as_uri() + "/")
        before, after = path.read_text(), applied(path.read_text(), edits)
        out[str(path.relative_to(root))] = [b for a, b in zip(before.split("\n"), after.split("\n")) if a != b]
    return out


async def test_a_member_is_renamed_in_other_files(client, users):
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="end", **here(client, place(USERS["lib.py"], "def tail(x", inside=4)))))
    assert edited(users, edit) == {
        "lib.py": ["        return cls.end(x)", '    def end(x: R.Tensor((4,), "float32")):', "        return Model.end(x)", '    return Own.scale, Model["end"], "tail"'],
        "near.py": ['pick = (Model["end"], Model.end, l.Model.end, l.tail, last, "tail")'],
        "far.py": ["    return M.end, tail"],
        "deep/star.py": ["names = [Model.end, tail]  # tail"]}


async def test_a_name_is_renamed_through_stars_and_aliases(client, users):
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="end", **here(client, place(USERS["lib.py"], "def tail()", inside=4)))))
    assert edited(users, edit) == {
        "lib.py": ["def end():"],
        "near.py": ["from lib import Model, end as last", 'pick = (Model["tail"], Model.tail, l.Model.tail, l.end, last, "tail")'],
        "deep/star.py": ["names = [Model.tail, end]  # tail"]}


async def test_a_name_that_another_file_has_is_refused(client, users):
    with pytest.raises(JsonRpcException, match="near.py .*`pick`"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="pick", **here(client, place(USERS["lib.py"], "class Model", inside=6)))))
    with pytest.raises(JsonRpcException, match="star.py `names` stands in line 3"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="names", **here(client, place(USERS["lib.py"], "def tail()", inside=4)))))


async def test_references_of_the_project(client, users):
    async def found(uri, position):
        places = await ask(client.text_document_references_async(t.ReferenceParams(t.ReferenceContext(True), t.TextDocumentIdentifier(uri), position)))
        return sorted(f"{one.uri.removeprefix(users.as_uri() + '/')}:{one.range.start.line + 1}:{one.range.start.character}" for one in places)

    here_first = await found(client.uri, place(USERS["lib.py"], "def tail(x", inside=4))
    lines = {name: text.split("\n") for name, text in USERS.items()}
    assert [one.split(":")[0] for one in here_first] == ["deep/star.py", "far.py", "lib.py", "lib.py", "lib.py", "lib.py", "near.py", "near.py", "near.py"]
    for one in here_first:
        name, line, column = one.split(":")
        assert lines[name][int(line) - 1][int(column):].startswith("tail"), one
    near = (users / "near.py").as_uri()
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(near, "python", 1, USERS["near.py"])))
    assert await found(near, place(USERS["near.py"], "Model.tail", inside=7)) == here_first  # asked from a file that uses it
    # Asked at another name for it, and at its own: the places of both.
    for position in (place(USERS["near.py"], "last,"), place(USERS["near.py"], "tail as"), place(USERS["near.py"], "as last", inside=3)):
        both = [(one.split(":")[0], lines[one.split(":")[0]][int(one.split(":")[1]) - 1][int(one.split(":")[2]):][:4]) for one in await found(near, position)]
        assert sorted(both) == [("deep/star.py", "tail"), ("lib.py", "tail")] + [("near.py", "last")] * 2 + [("near.py", "tail")] * 2


async def test_callers_in_other_files(client, users):
    (users / "twice.py").write_text("from lib import Model as M, tail as t\n\n\ndef twice(x):\n    return M.tail(x), [M.tail, t()]\n\n\ndef once():\n    return t()\n")
    async def callers(needle):
        (item,) = await ask(client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(**here(client, place(USERS["lib.py"], needle, inside=4)))))
        found = await ask(client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(item)))
        return {(one.from_.uri.rsplit("/", 1)[1], one.from_.name): (one.from_.selection_range.start.line, [(r.start.line, r.start.character) for r in one.from_ranges]) for one in found}

    of_member = await callers("def tail(x")
    assert of_member[("twice.py", "twice")] == (3, [(4, 13), (4, 25)])
    assert of_member[("far.py", "use")] == (3, [(4, 13)])
    assert {name for file, name in of_member if file == "lib.py"} == {"forward", "other", "tail"}
