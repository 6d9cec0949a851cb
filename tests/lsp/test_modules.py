"""Constants of other modules: values, where hover says they are from, and what a change of the module does."""
import pytest
from lsprotocol import types as t

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)

SCRIPT = '''\
from tvm.script import relax as R
from sizes import ROWS
import sizes as other


@R.function
def main(x: R.Tensor((ROWS, other.COLUMNS), "float32")):
    y = R.reshape(x, (24,))
    return y
'''


def open_document(client, uri, text):
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, text)))


async def hover(client, line, column):
    found = await client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(client.uri), t.Position(line, column)))
    return found.contents.value if found else None


async def errors(client):
    report = await client.text_document_diagnostic_async(t.DocumentDiagnosticParams(t.TextDocumentIdentifier(client.uri)))
    return [d.code for d in report.items if d.severity == t.DiagnosticSeverity.Error]


async def test_modules(client, tmp_path):
    module = tmp_path / "sizes.py"
    module.write_text("ROWS = 4\n\nCOLUMNS = 6\n")
    (tmp_path / "model.py").write_text(SCRIPT)
    open_document(client, client.uri, SCRIPT)
    assert await errors(client) == []
    line = SCRIPT.split("\n")[6]
    assert "ROWS = 4" in await hover(client, 6, line.index("ROWS"))
    text = await hover(client, 6, line.index("COLUMNS"))
    assert "COLUMNS = 6" in text and f"line 3 of `{module}`" in text

    # in the editor it counts what the editor holds, saved or not
    open_document(client, module.as_uri(), "ROWS = 4\nCOLUMNS = 7\n")
    assert await errors(client) == ["RLX0313"]
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, module.as_uri()), [t.TextDocumentContentChangeWholeDocument("ROWS = 8\nCOLUMNS = 3\n")]))
    assert await errors(client) == []
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(3, module.as_uri()), [t.TextDocumentContentChangeWholeDocument("ROWS = 8\nROWS = 9\nCOLUMNS = 3\n")]))
    assert await errors(client) == []  # assigned twice: not known
    assert "known to Python only" in await hover(client, 6, line.index("ROWS"))
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(module.as_uri())))
    assert await errors(client) == []

    module.write_text("ROWS = 5\nCOLUMNS = 6\n")
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(module.as_uri(), t.FileChangeType.Changed)]))
    assert await errors(client) == ["RLX0313"]
    module.unlink()
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(module.as_uri(), t.FileChangeType.Deleted)]))
    assert await errors(client) == []


async def test_where_a_value_comes_from_that_is_not_known(client, tmp_path):
    module = tmp_path / "sizes.py"
    module.write_text("import os\n\nROWS = int(os.environ['ROWS'])\ncfg = load()\n")
    text = "from tvm.script import relax as R\nfrom sizes import ROWS, cfg\nfrom elsewhere import K\nimport math\n\n@R.function\ndef main(x: R.Tensor((ROWS, cfg.hidden, K, math.floor(2.5)))):\n    return x\n"
    client.uri = (tmp_path / "model.py").as_uri()
    (tmp_path / "model.py").write_text(text)
    open_document(client, client.uri, text)
    line = text.split("\n")[6]
    found = await hover(client, 6, line.index("ROWS"))
    assert "ROWS = int(os.environ['ROWS'])" in found and f"line 3 of `{module}`" in found and "known to Python only" in found
    assert "sizes.cfg.hidden" in await hover(client, 6, line.index("hidden"))
    assert "elsewhere.K" in await hover(client, 6, line.index("K"))
    assert await hover(client, 6, line.index("floor")) is None


@pytest.mark.parametrize("gone", ["module", "script", "folder", "all"])
async def test_what_the_editor_holds_counts_without_the_disk(client, tmp_path, gone):
    """Files that were deleted, or never saved, are what the editor shows; also when one of them opens last."""
    folder = tmp_path / "sub"
    folder.mkdir()
    client.uri = (folder / "model.py").as_uri()
    module = folder / "sizes.py"
    if gone != "all":
        (folder / "model.py").write_text(SCRIPT)
        module.write_text("ROWS = 5\nCOLUMNS = 6\n")
    open_document(client, client.uri, SCRIPT)
    assert await errors(client) == ([] if gone == "all" else ["RLX0313"])
    open_document(client, module.as_uri(), "ROWS = 4\nCOLUMNS = 7\n")
    assert await errors(client) == ["RLX0313"]
    for path in folder.iterdir():
        if gone == "folder" or path.name == {"module": "sizes.py", "script": "model.py"}.get(gone):
            path.unlink()
            client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(path.as_uri(), t.FileChangeType.Deleted)]))
    if gone == "folder":
        folder.rmdir()
    assert await errors(client) == ["RLX0313"]
    assert "COLUMNS = 7" in await hover(client, 6, SCRIPT.split("\n")[6].index("COLUMNS"))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, module.as_uri()), [t.TextDocumentContentChangeWholeDocument("ROWS = 4\nCOLUMNS = 6\n")]))
    assert await errors(client) == []
    assert "COLUMNS = 6" in await hover(client, 6, SCRIPT.split("\n")[6].index("COLUMNS"))


async def test_buffers_of_a_folder_that_was_opened_through_a_link(client, tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    (real / "model.py").write_text(SCRIPT)
    (real / "sizes.py").write_text("ROWS = 5\nCOLUMNS = 6\n")
    client.uri = (tmp_path / "link" / "model.py").as_uri()
    open_document(client, client.uri, SCRIPT)
    assert await errors(client) == ["RLX0313"]
    open_document(client, (tmp_path / "link" / "sizes.py").as_uri(), "ROWS = 8\nCOLUMNS = 3\n")
    assert await errors(client) == []
