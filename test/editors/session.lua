-- A session with pto-lsp-server in Neovim, without a window:
--
--   SERVER=... FILE=... WRONG=... FIXED=... nvim --headless -u NONE -S session.lua
--
-- It opens FILE as the configuration in docs/editors.md does, replaces FIXED by WRONG,
-- applies the quick fix, renames a value, and prints what it saw as JSON.
local seen = {}

local function finish()
  io.stdout:write(vim.fn.json_encode(seen) .. "\n")
  vim.cmd("qall!")
end

local function await(what, condition)
  if not vim.wait(20000, condition, 10) then
    seen.missing = what
    finish()
  end
end

vim.cmd("autocmd BufRead,BufNewFile *.pto set filetype=mlir")
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.FILE))
seen.filetype = vim.bo.filetype
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ cmd = { vim.env.SERVER }, name = "pto", root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
local client = function() return vim.lsp.get_client_by_id(id) end
await("initialization", function() return client() and client().initialized end)

local function replace(old, new)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  for i, line in ipairs(lines) do
    local from, to = line:find(old, 1, true)
    if from then
      vim.api.nvim_buf_set_text(buffer, i - 1, from - 1, i - 1, to, { new })
      return i - 1, from - 1
    end
  end
end

local row, column = replace(vim.env.FIXED, vim.env.WRONG)
await("a diagnostic", function() return #vim.diagnostic.get(buffer) > 0 end)
local found = vim.diagnostic.get(buffer)
seen.diagnostics = #found
seen.message = found[1].message
seen.line = found[1].lnum == row

local document = { uri = vim.uri_from_bufnr(buffer) }
local function request(method, params)
  params.textDocument = document
  local answer = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  return answer and answer[id] and answer[id].result
end
local at = { line = row, character = column + 2 }
local actions = request("textDocument/codeAction", {
  range = { start = at, ["end"] = at },
  context = { diagnostics = {}, only = { "quickfix" } },
})
seen.action = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, client().offset_encoding)
await("no diagnostic", function() return #vim.diagnostic.get(buffer) == 0 end)
seen.mended = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]:find(vim.env.FIXED, 1, true) ~= nil

local hover = request("textDocument/hover", { position = at })
seen.hover = vim.split(hover.contents.value, "\n")[1]
local edit = request("textDocument/rename", { position = { line = row, character = 3 }, newName = "%renamed" })
vim.lsp.util.apply_workspace_edit(edit, client().offset_encoding)
seen.renamed = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]:find("%renamed", 1, true) ~= nil

client().stop()
await("the end of the server", function() return client() == nil or client().is_stopped() end)
finish()
