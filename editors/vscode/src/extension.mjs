// The VS Code extension for PTO kernels: it starts the language server and the debug adapter,
// and shows what pto-run and pto-opt report.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { commandIn, toolPath } from "./tools.mjs";

let client;
let output;

export async function activate(context) {
  const tool = (name) => toolPath(name, vscode.workspace.getConfiguration("pto").get("toolsFolder"), context.extensionPath);
  output = vscode.window.createOutputChannel("PTO");
  context.subscriptions.push(
    output,
    vscode.debug.registerDebugAdapterDescriptorFactory("pto", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(tool("pto-run"), ["--dap"]),
    }),
    vscode.debug.registerDebugConfigurationProvider("pto", { resolveDebugConfiguration, resolveDebugConfigurationWithSubstitutedVariables }),
    vscode.tasks.registerTaskProvider("pto", {
      provideTasks: () => ["verify", "check", "run"].map((task) => taskOf({ type: "pto", task }, tool)),
      resolveTask: (task) => taskOf(task.definition, tool, task.scope),
    }),
    vscode.commands.registerCommand("pto.report", () => report(tool("pto-run"))),
    vscode.commands.registerCommand("pto.fixChecked", () => fixChecked(tool("pto-run"))),
    vscode.commands.registerCommand("pto.memoryMap", () => memoryMap(tool("pto-opt"))),
    vscode.commands.registerCommand("pto.insertSync", () => insertSync(tool("pto-opt"))),
    vscode.commands.registerCommand("pto.restart", () => restart(tool)),
    { dispose: () => client?.stop() },
  );
  await start(tool);
}

export const deactivate = () => client?.stop();

/** Starts the language server. An error names the setting with which the user can correct it. */
async function start(tool) {
  const arch = vscode.workspace.getConfiguration("pto").get("arch");
  const command = tool("pto-lsp-server");
  client = new LanguageClient("pto", "PTO language server", { command, args: [] }, {
    documentSelector: [{ language: "pto" }, { language: "cpp", pattern: "**/*.cpp" }],
    initializationOptions: { arch },
    synchronize: { configurationSection: "pto" },
    outputChannel: output,
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const open = "Open Settings";
    vscode.window.showErrorMessage(`PTO: ${command} cannot be started (${error.message}). Install the tools, or name their folder in pto.toolsFolder.`, open)
      .then((choice) => choice === open && vscode.commands.executeCommand("workbench.action.openSettings", "pto.toolsFolder"));
  }
}

async function restart(tool) {
  await client?.stop();
  await start(tool);
}

/** A launch without a configuration debugs the file in the editor. */
function resolveDebugConfiguration(_folder, config) {
  if (!config.type && !config.request && vscode.window.activeTextEditor?.document.languageId === "pto") {
    return { type: "pto", request: "launch", name: "Debug the kernel", program: "${file}", stopOnEntry: true };
  }
  return config;
}

/** Options that the configuration lacks come from the comments of the program. */
async function resolveDebugConfigurationWithSubstitutedVariables(_folder, config) {
  if (config.args || !config.program) return config;
  const text = await readFile(config.program, "utf8").catch(() => "");
  const args = await optionsFor(text);
  return args && { ...config, args };
}

/** Returns the options of a run of a program, or undefined if the user enters none. */
async function optionsFor(text) {
  const options = commandIn(text);
  if (options) return options;
  const entered = await vscode.window.showInputBox({
    title: "Arguments of the kernel", prompt: "One for each parameter, as for --arg of pto-run", placeHolder: "iota=64x64xf32 zeros=64x64xf32 2.0",
  });
  return entered?.split(/\s+/).filter(Boolean).flatMap((a) => ["--arg", a]);
}

function taskOf(definition, tool, scope = vscode.TaskScope.Workspace) {
  const { task, file = "${file}", args = [] } = definition;
  const options = { verify: ["-o", os.devNull], check: ["--check=all"], run: ["--print"] }[task] ?? [];
  const program = tool(task === "verify" ? "pto-opt" : "pto-run");
  return new vscode.Task(definition, scope, `${task} ${file}`, "pto", new vscode.ProcessExecution(program, [file, ...options, ...args]), "$pto");
}

/** Returns the saved document in the active editor. */
async function activeProgram() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.languageId !== "pto") {
    vscode.window.showInformationMessage("PTO: open a .pto file first.");
    return undefined;
  }
  await document.save();
  return document;
}

/** Runs a tool. The result has its exit code and what it printed. */
function call(program, args, cwd) {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 256 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code ?? 1 : 0, stdout, stderr: stderr || (error && typeof error.code !== "number" ? error.message : "") });
    });
  });
}

/** Runs the kernel, and shows the document of pto-run --report next to the program. */
async function report(program) {
  const document = await activeProgram();
  const options = document && await optionsFor(document.getText());
  if (!options) return;
  const folder = await mkdtemp(path.join(os.tmpdir(), "pto-"));
  try {
    const file = path.join(folder, "report.html");
    const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "pto-run" }, () =>
      call(program, [document.fileName, ...options, "--report", file], folderOf(document)));
    output.append(result.stderr);
    const html = await readFile(file, "utf8").catch(() => "");
    if (!html) {
      failed("pto-run", result);
      return;
    }
    show("pto.report", `Run of ${path.basename(document.fileName)}`, html);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the checkers, and changes the program until they report no missing flag. */
async function fixChecked(program) {
  const document = await activeProgram();
  const options = document && await optionsFor(document.getText());
  if (!options) return;
  const result = await call(program, [document.fileName, ...options, "--check=all", "--fix"], folderOf(document));
  output.append(result.stderr);
  if (result.code !== 0) return failed("pto-run", result);
  vscode.window.showInformationMessage(`PTO: ${result.stderr.trim().split("\n").at(-1) || "the checkers report nothing"}`);
}

/** Shows which tile occupies which bytes of local memory, after buffers and addresses. */
async function memoryMap(program) {
  const document = await activeProgram();
  if (!document) return;
  const result = await call(program, [document.fileName, "--pto-bufferize", "--pto-plan-memory", "--memory-map=html"], folderOf(document));
  if (result.code !== 0) return failed("pto-opt", result);
  show("pto.memory", `Memory of ${path.basename(document.fileName)}`, result.stdout);
}

/** Opens the program with buffers, addresses and flags as a new document. */
async function insertSync(program) {
  const document = await activeProgram();
  if (!document) return;
  const result = await call(program, [document.fileName, "--enable-insert-sync"], folderOf(document));
  if (result.code !== 0) return failed("pto-opt", result);
  const lowered = await vscode.workspace.openTextDocument({ language: "pto", content: result.stdout });
  await vscode.window.showTextDocument(lowered, vscode.ViewColumn.Beside);
}

const folderOf = (document) => vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? path.dirname(document.fileName);

function failed(tool, { code, stderr }) {
  output.appendLine(stderr);
  vscode.window.showErrorMessage(`${tool} ended with code ${code}: ${stderr.split("\n")[0]}`);
}

/** Shows a document of the tools. It contains its scripts and loads nothing. */
function show(kind, title, html) {
  const panel = vscode.window.createWebviewPanel(kind, title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [] });
  panel.webview.html = html;
}
