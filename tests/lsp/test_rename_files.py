"""Files and folders that get other names, through pytest-lsp: the imports that mean them follow."""
from lsprotocol import types as t

from session import applied, ask, open_text


async def renamed(client, *pairs):
    edit = await ask(client.workspace_will_rename_files_async(t.RenameFilesParams(
        [t.FileRename(old.as_uri(), new.as_uri()) for old, new in pairs])))
    if not client.capabilities.workspace.workspace_edit.document_changes:
        return dict(edit.changes or {})
    assert edit.changes is None
    for one in edit.document_changes:  # an open document is named with its version, one on disk without
        assert one.text_document.version == client.told.get(one.text_document.uri), one.text_document
    return {one.text_document.uri: one.edits for one in edit.document_changes}


def put(folder, **files):
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def after(folder, changes):
    """Path below the folder to its text, of what the changes touch."""
    result = {}
    for path in sorted(folder.rglob("*.py")):
        if path.as_uri() in changes:
            result[str(path.relative_to(folder))] = applied(path.read_text(), changes[path.as_uri()])
    return result


async def test_server_wants_to_know(client):
    filters = client.init_result.capabilities.workspace.file_operations.will_rename.filters
    assert {f.pattern.matches for f in filters} == {t.FileOperationPatternKind.File, t.FileOperationPatternKind.Folder}


async def test_imports_of_a_file_follow(client, tmp_path):
    put(tmp_path, sizes="N = 4\n", other="M = 2\n",
        a="from sizes import N\nimport other\n", b="import sizes\nx = sizes.N\n", c="import sizes as s, other\n",
        d="from other import M  # from sizes import N\n", e="def f():\n    from sizes import (N,\n        N as n)\n")
    changes = await renamed(client, (tmp_path / "sizes.py", tmp_path / "dims.py"))
    assert after(tmp_path, changes) == {
        "a.py": "from dims import N\nimport other\n", "b.py": "import dims as sizes\nx = sizes.N\n",
        "c.py": "import dims as s, other\n", "e.py": "def f():\n    from dims import (N,\n        N as n)\n"}


async def test_open_documents_count(client, tmp_path):
    put(tmp_path, sizes="N = 4\n", model="import os\n")
    text = "from sizes import N\n"
    open_text(client, text)
    changes = await renamed(client, (tmp_path / "sizes.py", tmp_path / "dims.py"))
    assert applied(text, changes[client.uri]) == "from dims import N\n"


async def test_packages_and_relative_imports(client, tmp_path):
    put(tmp_path, pkg__sizes="N = 1\n", main="from pkg import sizes\nfrom pkg.sizes import N\nimport pkg.sizes as p\n",
        pkg__user="from . import sizes\nfrom .sizes import N\nfrom pkg import sizes as s, user\n")
    (tmp_path / "pkg" / "__init__.py").write_text("")
    changes = await renamed(client, (tmp_path / "pkg" / "sizes.py", tmp_path / "pkg" / "dims.py"))
    assert after(tmp_path, changes) == {
        "main.py": "from pkg import dims as sizes\nfrom pkg.dims import N\nimport pkg.dims as p\n",
        "pkg/user.py": "from . import dims as sizes\nfrom .dims import N\nfrom pkg import dims as s, user\n"}
    changes = await renamed(client, (tmp_path / "pkg" / "sizes.py", tmp_path / "sizes2.py"))
    assert after(tmp_path, changes)["main.py"].startswith("import sizes2 as sizes\nfrom sizes2 import N\nimport sizes2 as p\n")
    changes = await renamed(client, (tmp_path / "pkg", tmp_path / "lib"))
    assert after(tmp_path, changes) == {
        "main.py": "from lib import sizes\nfrom lib.sizes import N\nimport lib.sizes as p\n",
        "pkg/user.py": "from . import sizes\nfrom .sizes import N\nfrom lib import sizes as s, user\n"}


async def test_a_script_that_moves_keeps_what_it_means(client, tmp_path):
    put(tmp_path, pkg__user="from .sizes import N\nimport os\n", pkg__sizes="N = 1\n")
    changes = await renamed(client, (tmp_path / "pkg" / "user.py", tmp_path / "sub" / "user.py"))
    assert after(tmp_path, changes) == {"pkg/user.py": "from ..pkg.sizes import N\nimport os\n"}


async def test_a_script_that_leaves_its_package(client, tmp_path):
    """Where it stands then, a relative import means nothing."""
    put(tmp_path, pkg__user="from .sizes import N\nfrom . import sizes as s\n", pkg__sizes="N = 1\n", main="from pkg import (user)\nfrom pkg import user as u\n")
    (tmp_path / "pkg" / "__init__.py").write_text("")
    changes = await renamed(client, (tmp_path / "pkg" / "user.py", tmp_path / "user.py"))
    assert after(tmp_path, changes) == {"pkg/user.py": "from pkg.sizes import N\nfrom pkg import sizes as s\n", "main.py": "import user\nimport user as u\n"}


async def test_names_that_cannot_be_written_stay(client, tmp_path):
    put(tmp_path, sizes="N = 4\n", a="from sizes import N\n")
    assert await renamed(client, (tmp_path / "sizes.py", tmp_path / "two words.py")) == {}
    assert await renamed(client, (tmp_path / "nothing.py", tmp_path / "dims.py")) == {}
