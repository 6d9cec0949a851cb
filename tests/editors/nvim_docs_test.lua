-- The snippets of docs/editors.md, loaded as init.lua: diagnostics arrive in the file on the command line, its lenses work.
local failed = false
local hang = 900000 -- ms, as in nvim_test.lua
local function check(ok, text)
  io.stdout:write((ok and "ok " or "FAIL ") .. text .. "\n")
  failed = failed or not ok
end

check(vim.wait(hang, function() return #vim.diagnostic.get(0) > 0 end, 10), "the documented configuration shows diagnostics")

local script = vim.api.nvim_get_current_buf()
local lenses = {}
vim.lsp.buf_request(script, "textDocument/codeLens", { textDocument = { uri = vim.uri_from_bufnr(script) } },
  function(_, result) lenses = result or {} end)
vim.wait(hang, function() return #lenses > 0 end, 10)
local by_title = {}
for _, lens in ipairs(lenses) do
  if lens.command then by_title[lens.command.title] = lens.command end -- others are resolved when they are seen
end

-- Waits until another buffer shows one of the words.
local function shows(...)
  local wanted = { ... }
  return vim.wait(hang, function()
    local buffer = vim.api.nvim_get_current_buf()
    local text = buffer ~= script and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") or ""
    for _, words in ipairs(wanted) do
      if text:find(words, 1, true) then return true end
    end
    return false
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
  check(shows("undefined", "error"), "a lens runs the function")
end
vim.cmd(failed and "cquit 1" or "qall!")
