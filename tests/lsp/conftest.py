"""The server under test, as three editors talk to it: build/rlx lsp, or $RLX."""
import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from session import RLX
from strict import Messages


def check_messages(client):
    """client.messages: what is not as the specification has it, of all that the server sends, and what came in parts."""
    client.messages = Messages()
    send, read, features = client.protocol._send_data, client.protocol.structure_message, client.protocol.fm.features
    progress = features[t.PROGRESS]

    def sent(data):
        if getattr(data, "method", None) and getattr(data, "id", None) is not None:
            client.messages.sent(data.id, data.method)
        return send(data)

    def received(data):
        if "jsonrpc" in data:  # it is called for each object inside, too
            client.messages.received(data)
        return read(data)

    def reported(params):
        if params.token not in client.messages.parts:  # the library knows work done alone
            progress(params)

    client.protocol._send_data, client.protocol.structure_message, features[t.PROGRESS] = sent, received, reported


def note_versions(client):
    """client.told and client.published: the version of each document that the server was told last, and that it last sent diagnostics
    of. See session.settled."""
    client.told, client.published = {}, {}
    tell, features = client.protocol.notify, client.protocol.fm.features
    show = features[t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def notify(method, params=None):
        if method in (t.TEXT_DOCUMENT_DID_OPEN, t.TEXT_DOCUMENT_DID_CHANGE):
            client.told[params.text_document.uri] = params.text_document.version
        return tell(method, params)

    def published(params):
        show(params)
        client.published[params.uri] = params.version

    client.protocol.notify = notify
    features[t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[RLX, "lsp"]), params=["visual-studio-code", "neovim", "emacs"])
async def client(request, lsp_client: LanguageClient, tmp_path):
    if t.CLIENT_REGISTER_CAPABILITY not in lsp_client.protocol.fm.features:
        lsp_client.feature(t.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    note_versions(lsp_client)
    check_messages(lsp_client)
    capabilities = client_capabilities(request.param)
    capabilities.text_document.publish_diagnostics.version_support = True
    lsp_client.init_result = await lsp_client.initialize_session(t.InitializeParams(
        capabilities=capabilities, root_uri=tmp_path.as_uri(),
        workspace_folders=[t.WorkspaceFolder(uri=tmp_path.as_uri(), name="ws")]))
    lsp_client.uri = (tmp_path / "model.py").as_uri()
    yield
    await lsp_client.shutdown_session()
    assert not lsp_client.messages.faults
