-- The language server as Neovim sees it. Run by run.sh: RLX is the program, EXAMPLES a copy of examples/.
-- Works with Neovim 0.7 (Debian 12) and newer, hence requests instead of vim.lsp.inlay_hint and the like.

local failed = 0
local function out(...) io.stdout:write(table.concat({ ... }, " ") .. "\n") end
local function test(name, body)
  local ok, err = pcall(body)
  if ok then out("ok", name) else failed = failed + 1; out("FAIL", name, "-", (tostring(err):gsub("\n", " "))) end
end
local function equal(got, want) assert(got == want, "got " .. vim.inspect(got) .. ", want " .. vim.inspect(want)) end
local function includes(got, want)
  assert(got and got:find(want, 1, true), vim.inspect(want) .. " is not in " .. vim.inspect(got))
end

local hang = 900000 -- ms: what has not come then does not come any more, however slow or busy the machine is
local examples = vim.env.EXAMPLES
local published = {} -- uri -> how often its diagnostics came: published, or from Neovim 0.10 on asked for
local default, pulled = vim.lsp.handlers["textDocument/publishDiagnostics"], vim.lsp.handlers["textDocument/diagnostic"]
local function count(file) published[file] = (published[file] or 0) + 1 end
local id = vim.lsp.start_client({
  name = "rlx", cmd = { vim.env.RLX, "lsp" }, root_dir = examples,
  handlers = {
    ["textDocument/publishDiagnostics"] = function(err, result, ...)
      count(result.uri)
      return default(err, result, ...)
    end,
    ["textDocument/diagnostic"] = pulled and function(err, result, context, ...)
      pulled(err, result, context, ...)
      count(context.params.textDocument.uri)
    end,
  },
})

local buf
local function uri() return vim.uri_from_bufnr(buf) end
-- Waits until the server has published for the buffer's present text.
local function settled(before)
  assert(vim.wait(hang, function() return (published[uri()] or 0) > before end, 5), "no diagnostics")
end
local function open(file)
  vim.cmd("edit! " .. vim.fn.fnameescape(examples .. "/" .. file))
  buf = vim.api.nvim_get_current_buf()
  local before = published[uri()] or 0
  if vim.lsp.buf_is_attached and vim.lsp.buf_is_attached(buf, id) then return end
  vim.lsp.buf_attach_client(buf, id)
  settled(before)
end
local function set_line(number, text)
  local before = published[uri()] or 0
  vim.api.nvim_buf_set_lines(buf, number, number + 1, false, { text })
  settled(before)
end
local function line(number) return vim.api.nvim_buf_get_lines(buf, number, number + 1, false)[1] end
-- Line (from 0) and byte column of the first `word`, in lines that contain `within`; the cursor goes there.
local function at(word, within)
  for number, text in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
    local column = (not within or text:find(within, 1, true)) and not text:match("^%s*#")
      and text:find("%f[%w_]" .. vim.pesc(word) .. "%f[^%w_]")
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return number - 1, column - 1
    end
  end
  error(word .. " is not in the file")
end
local function request(method, params)
  local answers, err = vim.lsp.buf_request_sync(buf, method, params, hang)
  assert(answers, method .. ": " .. tostring(err))
  local answer = assert(answers[id], method .. ": no answer")
  assert(not answer.error and not answer.err, method .. ": " .. vim.inspect(answer.error or answer.err))
  return answer.result
end
local function here() return vim.lsp.util.make_position_params(0, "utf-16") end
local function document() return { textDocument = { uri = uri() } } end
local function hover()
  local result = assert(request("textDocument/hover", here()), "no hover")
  return table.concat(vim.lsp.util.convert_input_to_markdown_lines(result.contents), "\n")
end
local function first(locations) return locations[1] or locations end
local function start_of(location) return (location.targetSelectionRange or location.range).start end

test("a clean file has no diagnostics", function()
  open("mlp.py")
  equal(#vim.diagnostic.get(buf), 0)
end)
test("hover gives the deduced StructInfo", function()
  at("h", "R.nn.relu")
  includes(hover(), 'R.Tensor((n, 8), dtype="float32")')
end)
test("hover documents an operator", function()
  at("softmax", "R.nn.softmax")
  includes(hover(), "softmax")
end)
test("inlay hints of a window", function()
  local number = at("lv2", "lv2 =")
  local hints = request("textDocument/inlayHint", {
    textDocument = { uri = uri() },
    range = { start = { line = number, character = 0 }, ["end"] = { line = number + 1, character = 0 } },
  })
  equal(#hints, 1)
  local label = hints[1].label
  if type(label) == "table" then label = table.concat(vim.tbl_map(function(part) return part.value end, label)) end
  includes(label, "(n, 3) f32")
  equal(hints[1].position.line, number)
end)
test("definition of a variable", function()
  at("h", "R.matmul(h")
  local target = start_of(first(request("textDocument/definition", here())))
  includes(line(target.line), "h = R.nn.relu")
end)
test("references of a variable", function()
  at("lv", "lv = R.matmul")
  local params = here(); params.context = { includeDeclaration = true }
  equal(#request("textDocument/references", params), 2)
end)
test("document symbols", function()
  local names = {}
  local function visit(symbols)
    for _, symbol in ipairs(symbols) do names[symbol.name] = symbol; visit(symbol.children or {}) end
  end
  visit(request("textDocument/documentSymbol", document()))
  assert(names.Module and names.main and names.demo, vim.inspect(vim.tbl_keys(names)))
end)
test("semantic tokens and folding", function()
  local tokens = request("textDocument/semanticTokens/full", document()).data
  assert(#tokens > 0 and #tokens % 5 == 0, #tokens .. " numbers")
  assert(#request("textDocument/foldingRange", document()) >= 3)
end)
test("completion of operators", function()
  local number, column = at("relu", "R.nn.relu")
  vim.api.nvim_win_set_cursor(0, { number + 1, column })
  local result = request("textDocument/completion", here())
  local labels = {}
  for _, item in ipairs(result.items or result) do labels[item.label] = true end
  assert(labels.relu and labels.softmax, "relu or softmax is not offered")
  assert(not labels.matmul, "matmul is not in R.nn")
end)
test("completion of a call's parameters", function()
  at("axis", "R.nn.softmax")
  local result = request("textDocument/completion", here())
  local labels = {}
  for _, item in ipairs(result.items or result) do labels[item.label] = (labels[item.label] or 0) + 1 end
  equal(labels["axis="], 1)
  equal(labels.lv3, nil) -- no tensor is an axis
end)

test("an edit brings a diagnostic and undoing it takes it away", function()
  local number = at("lv2", "lv2 =")
  local good = line(number)
  set_line(number, (good:gsub("w2", "w1")))
  local diagnostics = vim.diagnostic.get(buf)
  assert(#diagnostics >= 1, "none")
  equal(diagnostics[1].lnum, number)
  set_line(number, good)
  equal(#vim.diagnostic.get(buf), 0)
end)
test("columns count UTF-16 units", function()
  local number = at("lv2", "lv2 =")
  local good = line(number)
  set_line(number, '            lv2 = R.print(nowhere, format="𝒳é")')
  local before = vim.diagnostic.get(buf)
  set_line(number, '            lv2 = R.add(R.const(1), "𝒳é", nowhere)')
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    if diagnostic.message:find("nowhere") then
      local bytes = line(number):find("nowhere") - 1
      equal(diagnostic.col, bytes) -- Neovim has turned UTF-16 back into bytes
    end
  end
  assert(#before > 0)
  set_line(number, good)
  equal(#vim.diagnostic.get(buf), 0)
end)
test("a broken line leaves the other function alone", function()
  local number = at("lv2", "lv2 =")
  local good = line(number)
  set_line(number, "            lv2 = R.matmul(h,")
  local target = at("gv", "cls.main(")
  includes(hover(), 'R.Tensor((2, 3), dtype="float32")')
  assert(target > number)
  set_line(number, good)
  equal(#vim.diagnostic.get(buf), 0)
end)

test("definition and references across functions", function()
  open("two_functions.py")
  at("layer", "first = cls.layer")
  local target = start_of(first(request("textDocument/definition", here())))
  includes(line(target.line), "def layer")
  local params = here(); params.context = { includeDeclaration = false }
  equal(#request("textDocument/references", params), 2)
end)
test("symbolic dimensions are bound at a call", function()
  at("second", "second =")
  includes(hover(), "n * 2")
end)

test("each mistake has one diagnostic, in its function", function()
  open("mistakes.py")
  local wrong = {}
  local functions, name = {}, nil
  for number, text in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
    name = text:match("^def ([%w_]+)") or name
    functions[number - 1] = name
  end
  local count = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    if diagnostic.severity <= vim.diagnostic.severity.WARN then
      local f = functions[diagnostic.lnum] or "?"
      count[f] = (count[f] or 0) + 1
      assert(tostring(diagnostic.code or vim.inspect(diagnostic.user_data)):find("RLX%d%d%d%d"), "no code")
    end
  end
  for _, f in pairs(functions) do
    if (count[f] or 0) ~= 1 then wrong[f] = count[f] or 0 end
  end
  assert(vim.tbl_isempty(wrong), vim.inspect(wrong))
end)
test("the quick fix of a misspelt operator", function()
  local number, column = at("rleu")
  local diagnostics = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    if diagnostic.lnum == number then
      table.insert(diagnostics, diagnostic.user_data and diagnostic.user_data.lsp and {
        range = { start = { line = number, character = diagnostic.col },
                  ["end"] = { line = number, character = diagnostic.end_col } },
        message = diagnostic.message, severity = diagnostic.severity, code = diagnostic.user_data.lsp.code,
      })
    end
  end
  local position = { line = number, character = column }
  local actions = request("textDocument/codeAction", {
    textDocument = { uri = uri() }, range = { start = position, ["end"] = position },
    context = { diagnostics = diagnostics },
  })
  assert(actions and #actions > 0, "no action")
  local action = actions[1]
  if not action.edit then action = request("codeAction/resolve", action) end
  local before = published[uri()]
  vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  settled(before)
  includes(line(number), "R.nn.relu(x)")
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do assert(diagnostic.lnum ~= number, diagnostic.message) end
end)

-- vim.lsp.buf.rename, as the user's key does it: waits until the buffer's text is another one.
local function rename(name)
  local text = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  vim.lsp.buf.rename(name)
  assert(vim.wait(hang, function() return not vim.deep_equal(text, vim.api.nvim_buf_get_lines(buf, 0, -1, false)) end, 5), "no change")
end
test("a rename changes the buffer, and nothing is wrong afterwards", function()
  open("two_functions.py")
  local number = at("layer", "first = cls.layer")
  rename("dense")
  includes(line(number), "first = cls.dense(")
  equal(#vim.fn.getbufline(buf, 1, "$"), #vim.fn.readfile(vim.api.nvim_buf_get_name(buf)))
  assert(at("dense", "def dense"))
  equal(pcall(at, "layer", "cls.layer"), false)
  number = at("n", "n * 2") -- a dimension, in strings too
  rename("rows")
  includes(line(number), 'R.Tensor(("rows * 2", "m")')
  includes(line(number - 1), 'R.Tensor(("rows", "m")')
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    assert(diagnostic.severity > vim.diagnostic.severity.WARN, diagnostic.message)
  end
end)
test("a rename reaches files on disk", function()
  vim.fn.writefile({ "from two_functions import Module as M", "", "run = M.main" }, examples .. "/uses.py")
  at("main", "def main")
  rename("forward")
  local other = vim.fn.bufnr(examples .. "/uses.py")
  assert(other > 0, "the other file is not open")
  equal(vim.fn.getbufline(other, 3)[1], "run = M.forward")
end)
test("a rename that would change a meaning is refused with its reason", function()
  at("first", "first =")
  local params = here(); params.newName = "second"
  local answer = vim.lsp.buf_request_sync(buf, "textDocument/rename", params, hang)[id]
  includes((answer.error or answer.err).message, "second")
end)

test("the server stops when asked", function()
  local client = vim.lsp.get_client_by_id(id)
  client.stop()
  assert(vim.wait(hang, function() return client.is_stopped() end, 10), "it did not")
end)
io.stdout:flush()
vim.cmd(failed == 0 and "qall!" or "cquit 1")
