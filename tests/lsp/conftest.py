"""The server under test, as three editors talk to it: build/rlx lsp, or $RLX."""
import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from session import RLX


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[RLX, "lsp"]), params=["visual-studio-code", "neovim", "emacs"])
async def client(request, lsp_client: LanguageClient, tmp_path):
    if t.CLIENT_REGISTER_CAPABILITY not in lsp_client.protocol.fm.features:
        lsp_client.feature(t.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    lsp_client.init_result = await lsp_client.initialize_session(t.InitializeParams(
        capabilities=client_capabilities(request.param), root_uri=tmp_path.as_uri(),
        workspace_folders=[t.WorkspaceFolder(uri=tmp_path.as_uri(), name="ws")]))
    lsp_client.uri = (tmp_path / "model.py").as_uri()
    yield
    await lsp_client.shutdown_session()
