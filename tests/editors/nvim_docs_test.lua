-- The snippet of docs/editors.md, loaded as init.lua: diagnostics arrive in the file on the command line.
local ok = vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end, 10)
io.stdout:write(ok and "ok the documented configuration shows diagnostics\n" or "FAIL the documented configuration - no diagnostics\n")
vim.cmd(ok and "qall!" or "cquit 1")
