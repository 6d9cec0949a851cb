"""Questions about all files of the workspace, through pytest-lsp: symbols, pulled diagnostics."""
import os

from lsprotocol import types as t

from session import SCRIPT, ask, open_text, place

BROKEN = SCRIPT.replace("(4, 3)", "(5, 3)").replace("class Module", "class Broken").replace("cls = Module", "cls = Broken")
SINGLE = '''\
from tvm.script import relax as R


@R.function
def attention_block(x: R.Tensor((2, 3), "float32")):
    return R.add(x, x)
'''


async def symbols(client, query):
    found = await ask(client.workspace_symbol_async(t.WorkspaceSymbolParams(query)))
    return [(s.name, s.container_name, s.location.uri.rsplit("/", 1)[1]) for s in found]


async def pull(client, previous=()):
    report = await ask(client.workspace_diagnostic_async(t.WorkspaceDiagnosticParams(
        previous_result_ids=[t.PreviousResultId(uri=uri, value=value) for uri, value in previous])))
    return {item.uri: item for item in report.items}


def changed(client, *paths, kind=t.FileChangeType.Changed):
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(
        [t.FileEvent(p.as_uri(), kind) for p in paths]))


async def test_symbols_of_open_documents_and_of_files_on_disk(client, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "one.py").write_text(SINGLE)
    (tmp_path / "model.py").write_text(SINGLE)  # the open document counts
    open_text(client, SCRIPT)
    assert await symbols(client, "attention") == [("attention_block", None, "one.py")]
    assert await symbols(client, "atblk") == [("attention_block", None, "one.py")]
    assert await symbols(client, "btl") == []
    assert await symbols(client, "helper") == [("helper", "Module", "model.py")]
    assert await symbols(client, "Module.mn") == [("main", "Module", "model.py")]
    assert {s[0] for s in await symbols(client, "")} == {"Module", "helper", "main", "attention_block"}
    found = await ask(client.workspace_symbol_async(t.WorkspaceSymbolParams("attention_block")))
    assert found[0].location.range.start == place(SINGLE, "attention_block")


async def test_the_best_symbol_comes_first(client, tmp_path):
    names = ["my_main", "main", "domain", "main_loop", "mXaXiXn"]
    (tmp_path / "many.py").write_text("from tvm.script import relax as R\n" + "".join(
        f"@R.function\ndef {name}(x: R.Object):\n    return x\n" for name in names))
    found = [s[0] for s in await symbols(client, "main")]
    assert found[:2] == ["main", "main_loop"] and found[2] == "my_main" and set(found) == set(names)


async def test_files_that_come_change_and_go(client, tmp_path):
    one, two = tmp_path / "one.py", tmp_path / "two.relax"
    one.write_text(SINGLE)
    assert [s[2] for s in await symbols(client, "attention")] == ["one.py"]
    two.write_text(SINGLE)
    changed(client, two, kind=t.FileChangeType.Created)
    assert [s[2] for s in await symbols(client, "attention")] == ["one.py", "two.relax"]
    one.write_text(SINGLE.replace("attention_block", "other"))
    changed(client, one)
    assert [s[2] for s in await symbols(client, "attention")] == ["two.relax"]
    two.unlink()
    changed(client, two, kind=t.FileChangeType.Deleted)
    assert await symbols(client, "attention") == []
    one.rename(tmp_path / "three.py")
    changed(client, one, tmp_path / "three.py")
    assert [s[2] for s in await symbols(client, "other")] == ["three.py"]


async def test_files_that_are_no_scripts_do_not_hurt(client, tmp_path):
    (tmp_path / "binary.py").write_bytes(b"@R.function\0\xff\xfe" * 1000)
    (tmp_path / "latin.py").write_bytes(SINGLE.replace("def ", "# \xe9\ndef ").encode("latin-1"))
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "huge.py").write_bytes(b"@R.function\n" + b"#" * (17 << 20))
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "none.py").symlink_to("nowhere.py")
    assert [s[2] for s in await symbols(client, "attention")] == ["latin.py"]


async def test_workspace_diagnostics(client, tmp_path):
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text(BROKEN)
    good.write_text(SINGLE)
    (tmp_path / "plain.py").write_text("x: int = 'no script'\n")
    open_text(client, BROKEN, version=7)
    reports = await pull(client)
    assert set(reports) == {bad.as_uri(), good.as_uri(), client.uri}
    assert reports[client.uri].version == 7 and reports[bad.as_uri()].version is None
    for uri in (client.uri, bad.as_uri()):
        errors = [d for d in reports[uri].items if d.severity == t.DiagnosticSeverity.Error]
        assert len(errors) == 1 and errors[0].range.start.line == 15
    ids = [(uri, r.result_id) for uri, r in reports.items()]
    assert {r.kind for r in (await pull(client, ids)).values()} == {"unchanged"}
    bad.write_text(BROKEN.replace("(5, 3)", "(4, 3)"))
    changed(client, bad)
    again = await pull(client, ids)
    assert {uri: r.kind for uri, r in again.items()} == {bad.as_uri(): "full", good.as_uri(): "unchanged", client.uri: "unchanged"}
    assert not [d for d in again[bad.as_uri()].items if d.severity == t.DiagnosticSeverity.Error]
    bad.unlink()
    changed(client, bad, kind=t.FileChangeType.Deleted)
    assert not (await pull(client, ids))[bad.as_uri()].items


async def test_settings_decide_about_the_workspace(client, tmp_path):
    for request in ("workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        if request not in client.protocol.fm.features:
            client.feature(request)(lambda *_: None)
    bad, config = tmp_path / "bad.py", tmp_path / "rlx.toml"
    bad.write_text(BROKEN)
    assert (await pull(client))[bad.as_uri()].items
    config.write_text('ignore = ["ALL"]\n')
    changed(client, config, kind=t.FileChangeType.Created)
    assert not (await pull(client))[bad.as_uri()].items
    config.write_text('exclude = ["bad.py"]\n')
    changed(client, config)
    assert bad.as_uri() not in await pull(client)


async def test_folders_that_come_and_go(client, tmp_path, tmp_path_factory):
    other = tmp_path_factory.mktemp("other folder")
    (other / "far off.py").write_text(SINGLE)
    assert await symbols(client, "attention") == []
    folder = t.WorkspaceFolder(uri=other.as_uri(), name="other")
    client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(
        t.WorkspaceFoldersChangeEvent(added=[folder], removed=[])))
    assert [s[2] for s in await symbols(client, "attention")] == ["far%20off.py"]
    client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(
        t.WorkspaceFoldersChangeEvent(added=[], removed=[folder])))
    assert await symbols(client, "attention") == []


async def test_pulled_diagnostics_of_a_document_have_ids(client):
    open_text(client, BROKEN)
    identifier = t.TextDocumentIdentifier(client.uri)
    first = await ask(client.text_document_diagnostic_async(t.DocumentDiagnosticParams(identifier)))
    assert first.kind == "full" and first.items
    same = await ask(client.text_document_diagnostic_async(t.DocumentDiagnosticParams(
        identifier, previous_result_id=first.result_id)))
    assert same.kind == "unchanged" and same.result_id == first.result_id
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [t.TextDocumentContentChangeWholeDocument("\n" + BROKEN)]))
    moved = await ask(client.text_document_diagnostic_async(t.DocumentDiagnosticParams(
        identifier, previous_result_id=first.result_id)))
    assert moved.kind == "full" and moved.items[0].range.start.line == first.items[0].range.start.line + 1
