// One `rlx lsp` process and the client that talks to it.

import * as vscode from "vscode";
import { CodeAction, LanguageClient, State, TransportKind } from "vscode-languageclient/node";
import { Lenses } from "./lenses";
import { findProgram } from "./program";

/**
 * `output`, with traces shown whatever the channel's log level is: the setting `rlx.trace.server` alone
 * decides, as users of other language servers expect. (The client reads the level to decide whether to trace.)
 */
function traceChannel(output: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const wanted = vscode.workspace.getConfiguration("rlx").get<string>("trace.server", "off") !== "off";
  return new Proxy(output, {
    get(target, key) {
      if (key === "logLevel") return wanted ? vscode.LogLevel.Trace : vscode.LogLevel.Info;
      const value: unknown = Reflect.get(target, key === "trace" ? "info" : key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Starts, restarts and stops the server; at most one runs, and starts and stops never overlap. */
export class Server {
  private client: LanguageClient | undefined;
  private pending: Promise<void> = Promise.resolve();

  /** `onStarted` is called each time that a server has told its capabilities. */
  constructor(
    private readonly output: vscode.LogOutputChannel, private readonly lenses: Lenses, private readonly onStarted: () => void) {}

  start(): Promise<void> {
    return this.then(() => this.launch());
  }

  stop(): Promise<void> {
    return this.then(() => this.close());
  }

  restart(): Promise<void> {
    return this.then(async () => {
      await this.close();
      await this.launch();
    });
  }

  /**
   * Runs one of the server's commands. Undefined, with a message to the user, when the server is not
   * running, does not offer the command, or refuses.
   */
  async execute<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
    const client = this.client;
    if (!client || client.state !== State.Running) {
      void vscode.window.showWarningMessage("rlx: the server is not running.");
      return undefined;
    }
    if (!this.offers(command)) {
      void vscode.window.showWarningMessage(`rlx: this version of the server does not offer "${command}".`);
      return undefined;
    }
    try {
      return await client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
    } catch (error) {
      void vscode.window.showErrorMessage(`rlx: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** The same without a message: nobody asked for it just now. */
  async executeQuietly<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
    const client = this.client;
    if (!client || client.state !== State.Running || !this.offers(command)) return undefined;
    try {
      return await client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
    } catch {
      return undefined;
    }
  }

  /** A request of the server's own. Undefined, with a message to the user, when it cannot be answered. */
  async request<T>(method: string, params: unknown): Promise<T | undefined> {
    const client = this.client;
    if (!client || client.state !== State.Running) {
      void vscode.window.showWarningMessage("rlx: the server is not running.");
      return undefined;
    }
    try {
      return await client.sendRequest<T>(method, params);
    } catch (error) {
      void vscode.window.showErrorMessage(`rlx: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** Lets the server make the edit of a code action, and applies it; false: it was refused. */
  async applyAction(action: unknown): Promise<boolean> {
    const done = await this.request<CodeAction>("codeAction/resolve", action);
    const edit = await this.client?.protocol2CodeConverter.asWorkspaceEdit(done?.edit);
    return edit ? vscode.workspace.applyEdit(edit) : false;
  }

  /** Whether the server that runs lists `command` among its commands. */
  offers(command: string): boolean {
    const provider = this.client?.initializeResult?.capabilities.executeCommandProvider;
    return provider?.commands.includes(command) ?? false;
  }

  private then(step: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(step, step);
    return this.pending;
  }

  private async launch(): Promise<void> {
    const { program, origin } = findProgram();
    this.output.info(`starting ${program} lsp (${origin})`);
    const run = { command: program, args: ["lsp"], transport: TransportKind.stdio };
    const client = new LanguageClient("rlx", "rlx", { run, debug: run }, {
      documentSelector: ["file", "untitled", "vscode-notebook-cell"].flatMap((scheme) =>
        ["relax", "python"].map((language) => ({ scheme, language }))),
      outputChannel: this.output,
      traceOutputChannel: traceChannel(this.output),
      middleware: {
        provideCodeLenses: async (document, token, next) => (await next(document, token))?.map((lens) => this.lenses.keep(lens)),
        resolveCodeLens: async (lens, token, next) => {
          const resolved = await next(lens, token);
          return resolved && this.lenses.keep(resolved);
        },
      },
      initializationOptions: { ...vscode.workspace.getConfiguration("rlx"), explainLinks: true },
      synchronize: {
        configurationSection: "rlx",
        fileEvents: vscode.workspace.createFileSystemWatcher("**/{rlx.toml,pyproject.toml,*.py,*.relax,*.tvmscript}"),
      },
    });
    this.client = client;
    try {
      await client.start();
      this.onStarted();
    } catch (error) {
      this.client = undefined;
      this.output.error(error instanceof Error ? error : String(error));
      void this.explain(program, origin);
    }
  }

  private async close(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (!client) return;
    try {
      await client.stop();
    } catch (error) {
      this.output.warn(`stopping the server: ${String(error)}`);
    }
    await client.dispose().catch(() => undefined);
  }

  private async explain(program: string, origin: string): Promise<void> {
    const settings = "Open Settings";
    const log = "Show Output";
    const choice = await vscode.window.showErrorMessage(
      `rlx: cannot start "${program} lsp" (${origin}). Install rlx, or set "rlx.path" to the program.`, settings, log);
    if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "rlx.path");
    if (choice === log) this.output.show();
  }
}
