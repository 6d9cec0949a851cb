-- The snippets of docs/editors.md, loaded as init.lua: diagnostics arrive in the file on the command line, its lenses work.
local failed = false
local function check(ok, text)
  io.stdout:write((ok and "ok " or "FAIL ") .. text .. "\n")
  failed = failed or not ok
end

check(vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end, 10), "the documented configuration shows diagnostics")

local script = vim.api.nvim_get_current_buf()
local lenses = {}
vim.lsp.buf_request(script, "textDocument/codeLens", { textDocument = { uri = vim.uri_from_bufnr(script) } },
  function(_, result) lenses = result or {} end)
vim.wait(5000, function() return #lenses > 0 end, 10)
local by_title = {}
for _, lens in ipairs(lenses) do
  if lens.command then by_title[lens.command.title] = lens.command end -- others are resolved when they are seen
end

local function shows(words)
  return vim.wait(10000, function()
    local buffer = vim.api.nvim_get_current_buf()
    return buffer ~= script and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"):find(words, 1, true) ~= nil
  end, 10)
end

local lens = by_title["normal form"]
check(lens ~= nil, "there are lenses")
if lens then
  vim.lsp.commands[lens.command](lens, { bufnr = script })
  check(shows("def " .. lens.arguments[2]), "a lens shows the normal form")
end
lens = by_title["evaluate"]
if lens then
  vim.lsp.commands[lens.command](lens)
  check(shows("undefined") or shows("error"), "a lens runs the function")
end
vim.cmd(failed and "cquit 1" or "qall!")
