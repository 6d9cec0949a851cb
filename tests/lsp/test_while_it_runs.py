"""What a client says while the server runs: settings, folders of the workspace, files that come, go and are renamed."""
import pytest
from lsprotocol import types as t

from session import ask, label_of, open_text, settled

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)

MODEL = '''\
from tvm.script import relax as R
from sizes import ROWS


@R.function
def main(x: R.Tensor((ROWS, 4), "float32")):
    y = R.add(x, x)
    return R.ad(y, y)
'''


def changed(client, path, kind):
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(path.as_uri(), kind)]))


async def hints(client):
    found = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(0, 0), t.Position(20, 0)))))
    return [label_of(hint) for hint in found or []]


async def codes(client, uri=None):
    await settled(client)
    return {(d.code, d.severity) for d in client.diagnostics[uri or client.uri]}


def configure(client, **settings):
    """As VS Code says it: that something has changed; the server asks what."""
    client.set_configuration({"rlx": settings})
    client.workspace_did_change_configuration(t.DidChangeConfigurationParams(settings=None))


@pytest.fixture
def refreshed(client):
    """What the server wants to be asked again."""
    asked = []
    for method in (t.WORKSPACE_INLAY_HINT_REFRESH, t.WORKSPACE_DIAGNOSTIC_REFRESH, t.WORKSPACE_SEMANTIC_TOKENS_REFRESH, t.WORKSPACE_CODE_LENS_REFRESH):
        client.protocol.fm.features.pop(method, None)
        client.feature(method)(lambda *_, method=method: asked.append(method))
    return asked


async def test_settings_are_asked_for_and_hold(client, tmp_path, refreshed):
    (tmp_path / "sizes.py").write_text("ROWS = 3\n")
    open_text(client, MODEL)
    await settled(client)
    assert await hints(client) == [": (3, 4) f32"]
    assert await codes(client) == {("RLX0203", t.DiagnosticSeverity.Error)}
    configure(client, hintForm="full", severity={"RLX0203": "warning"})
    await settled(client)
    assert await hints(client) == [': R.Tensor((3, 4), dtype="float32")']
    assert await codes(client) == {("RLX0203", t.DiagnosticSeverity.Warning)}
    configure(client, inlayHints=False, ignore=["RLX02"])
    await settled(client)
    assert not await hints(client) and not await codes(client)
    configure(client)  # all defaults again
    await settled(client)
    assert await hints(client) == [": (3, 4) f32"] and await codes(client) == {("RLX0203", t.DiagnosticSeverity.Error)}
    (tmp_path / "rlx.toml").write_text('hint-form = "full"\n')  # the project's word counts
    changed(client, tmp_path / "rlx.toml", t.FileChangeType.Created)
    configure(client, hintForm="short")
    await settled(client)
    assert await hints(client) == [': R.Tensor((3, 4), dtype="float32")']


async def test_a_module_that_changes_on_disk(client, tmp_path, refreshed):
    sizes = tmp_path / "sizes.py"
    sizes.write_text("ROWS = 3\n")
    open_text(client, MODEL)
    assert await hints(client) == [": (3, 4) f32"]
    sizes.write_text("ROWS = 5\n")
    changed(client, sizes, t.FileChangeType.Changed)
    assert await hints(client) == [": (5, 4) f32"]
    sizes.unlink()
    changed(client, sizes, t.FileChangeType.Deleted)
    assert await hints(client) != [": (5, 4) f32"]
    sizes.write_text("ROWS = 7\n")
    changed(client, sizes, t.FileChangeType.Created)
    assert await hints(client) == [": (7, 4) f32"]


async def symbols(client, query=""):
    return sorted(s.name for s in await ask(client.workspace_symbol_async(t.WorkspaceSymbolParams(query))))


async def problems(client):
    report = await ask(client.workspace_diagnostic_async(t.WorkspaceDiagnosticParams(previous_result_ids=[])))
    return {item.uri: {d.code for d in item.items} for item in report.items}


def change_folders(client, added=(), removed=()):
    def folders(paths):
        return [t.WorkspaceFolder(uri=path.as_uri(), name=path.name) for path in paths]
    client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(t.WorkspaceFoldersChangeEvent(added=folders(added), removed=folders(removed))))


async def test_folders_that_come_and_go(client, tmp_path, tmp_path_factory, refreshed):
    """Each with its own settings and modules: two may have modules of one name."""
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    for folder, rows in ((one, 3), (two, 9)):
        (folder / "sizes.py").write_text(f"ROWS = {rows}\n")
        (folder / f"model_{folder.name[:3]}.py").write_text(MODEL.replace("main", f"main_{folder.name[:3]}"))
    (two / "rlx.toml").write_text('ignore = ["RLX0203"]\n')
    assert await symbols(client) == []
    change_folders(client, added=[one, two])
    assert await symbols(client) == ["main_one", "main_two"]
    assert await problems(client) == {(one / "model_one.py").as_uri(): {"RLX0203"}, (two / "model_two.py").as_uri(): set()}
    for folder, rows in ((one, 3), (two, 9)):
        client.uri = (folder / f"model_{folder.name[:3]}.py").as_uri()
        open_text(client, MODEL)
        assert await hints(client) == [f": ({rows}, 4) f32"]
    assert not await codes(client) and await codes(client, (one / "model_one.py").as_uri())
    change_folders(client, removed=[two])
    assert "main_one" not in await symbols(client) and "main" in await symbols(client)  # what is open counts as it is there
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    assert set(await problems(client)) == {(one / "model_one.py").as_uri()}
    change_folders(client, added=[two], removed=[one])
    assert (two / "model_two.py").as_uri() in await problems(client) and await symbols(client) == ["main", "main_two"]


async def test_a_module_that_is_renamed(client, tmp_path, refreshed):
    """As an editor does it: the edits are asked for and carried out, the file moves, both are told."""
    (tmp_path / "sizes.py").write_text("ROWS = 3\n")
    open_text(client, MODEL)
    assert await hints(client) == [": (3, 4) f32"]
    names = [t.FileRename((tmp_path / "sizes.py").as_uri(), (tmp_path / "extents.py").as_uri())]
    edit = await ask(client.workspace_will_rename_files_async(t.RenameFilesParams(names)))
    change, = edit.document_changes
    assert change.text_document == t.OptionalVersionedTextDocumentIdentifier(client.uri, 1) and [e.new_text for e in change.edits] == ["extents"]
    client.text_document_did_change(t.DidChangeTextDocumentParams(t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [
        t.TextDocumentContentChangePartial(range=change.edits[0].range, text="extents")]))
    (tmp_path / "sizes.py").rename(tmp_path / "extents.py")
    client.workspace_did_rename_files(t.RenameFilesParams(names))
    changed(client, tmp_path / "sizes.py", t.FileChangeType.Deleted)
    changed(client, tmp_path / "extents.py", t.FileChangeType.Created)
    assert await hints(client) == [": (3, 4) f32"]
