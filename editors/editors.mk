# Editor support: the VS Code extension, and the tests that run real editors against build/rlx.
#
#   make vscode        editors/vscode/rlx.vsix
#   make vscode-test   the extension in VS Code in a browser (installs code-server: minutes, 1 GB)
#   make nvim-test     headless Neovim against build/rlx
#   make emacs-test    Emacs (eglot) in batch mode against build/rlx
#
# Included by the main Makefile; needs from it only that `make` makes build/rlx.

VSCODE_DIR := editors/vscode
VSCODE_SRC := $(wildcard $(VSCODE_DIR)/src/*.ts $(VSCODE_DIR)/syntaxes/*.json) \
              $(addprefix $(VSCODE_DIR)/,package.json language-configuration.json README.md .vscodeignore)
RLX ?= build/rlx

.PHONY: vscode vscode-test nvim-test emacs-test

vscode: $(VSCODE_DIR)/rlx.vsix

$(VSCODE_DIR)/node_modules/.package-lock.json: $(VSCODE_DIR)/package-lock.json
	cd $(VSCODE_DIR) && npm ci --no-audit --no-fund

$(VSCODE_DIR)/rlx.vsix: $(VSCODE_DIR)/node_modules/.package-lock.json $(VSCODE_SRC)
	cd $(VSCODE_DIR) && npm run --silent check && npm run --silent bundle && npm run --silent package

vscode-test: $(VSCODE_DIR)/rlx.vsix $(RLX)
	tests/editors/vscode_test.sh $(RLX) $(VSCODE_DIR)/rlx.vsix

nvim-test: $(RLX)
	tests/editors/nvim_test.sh $(RLX)

emacs-test: $(RLX)
	tests/editors/emacs_test.sh $(RLX)
