# Editor support: the VS Code extension, and the tests that run real editors against build/rlx.
#
#   make vscode         editors/vscode/rlx.vsix
#   make vscode-test    the extension in VS Code in a browser (installs code-server: minutes, 1 GB)
#   make editors-test   headless Neovim and Emacs, where installed
#
# Included by the main Makefile, whose BUILD and $(BUILD)/rlx it uses.

VSCODE_DIR := editors/vscode
VSCODE_SOURCES := $(wildcard $(VSCODE_DIR)/src/*.ts $(VSCODE_DIR)/test/*.ts $(VSCODE_DIR)/syntaxes/*.json) \
  $(addprefix $(VSCODE_DIR)/,package.json language-configuration.json README.md .vscodeignore)

.PHONY: vscode vscode-test editors-test nvim-test
vscode: $(VSCODE_DIR)/rlx.vsix

$(VSCODE_DIR)/node_modules/.package-lock.json: $(VSCODE_DIR)/package-lock.json
	cd $(VSCODE_DIR) && npm ci --no-audit --no-fund

$(VSCODE_DIR)/rlx.vsix: $(VSCODE_DIR)/node_modules/.package-lock.json $(VSCODE_SOURCES)
	cd $(VSCODE_DIR) && npm run --silent check && npm run --silent test && npm run --silent bundle && npm run --silent package

vscode-test: $(BUILD)/rlx
	BUILD=$(BUILD) tests/editors/extra.sh

editors-test nvim-test: $(BUILD)/rlx
	BUILD=$(BUILD) tests/editors/run.sh
