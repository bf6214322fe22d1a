import type { Manifest } from '@toolwright/manifest';
import { relative, resolve, sep } from 'node:path';
import { type Terminal, exitCodes, styleFor } from '@toolwright/operate/terminal';
import { placeOf } from '../decide-step.js';
import { greet } from '../greet.js';
import type { FromInside, ReadOutcome, ServiceName, ServicePlace, SwapOutcome } from '../messages.js';
import { AppProcess, type AppCommand } from './app-process.js';
import { explainEnd } from './explain-end.js';
import { HeldPorts } from './held-ports.js';
import { StdioRelay } from './stdio-relay.js';

/** How many milliseconds running requests may take before the app is asked to end. */
const FINISH_MS = 5_000;

/** Follows what becomes of the app, for a console. */
export interface AppWatcher {
  /** What the app finds in its environment, beside what is there anyway. */
  readonly environment: NodeJS.ProcessEnv;
  /** A new process begins. It does not answer yet. */
  started(app: AppProcess): void;
  /** The process that began last answers. */
  ready(): void;
  /** The app was asked to end, and a new one follows. */
  restarting(): void;
  /** There is no app until the next change. */
  stopped(): void;
  /** The newest version does not run, for this reason. `undefined`: it does. */
  failed(reason: string | undefined): void;
  /** Some time has passed since the app created a server. If it does not listen, it uses another transport. */
  settled(): void;
  /** The URL of the MCP endpoint. */
  serves(endpoint: string): void;
  hear(message: FromInside): void;
}

/** The user's app through all its restarts, behind ports that stay open. */
export class DevApp {
  /** Resolves to the exit code when an app on standard input has read everything. */
  readonly finished: Promise<number>;
  /** The absolute path of the compiled file. */
  entry = '';
  /** The names that "paths" of the tsconfig has. */
  aliases: readonly string[] = [];
  /** Called with folders that a package in the app is about to read. */
  follow: (folders: readonly string[]) => void = () => undefined;
  private readonly ports = new HeldPorts();
  private readonly relay: StdioRelay | undefined;
  private readonly hints: ServiceHints;
  private current: AppProcess | undefined;
  private name = 'app';
  /** The name of the server that the newest process has made. */
  private made: string | undefined;
  private hasGreeted = false;
  private inputEnded = false;
  private isStopping = false;
  private finish: (code: number) => void = () => undefined;

  constructor(
    private readonly command: Pick<AppCommand, 'directory' | 'args' | 'further' | 'inspect'> & {
      /** A test user that the project has. */
      user?: string | undefined;
    },
    private readonly terminal: Terminal,
    private readonly watcher?: AppWatcher,
  ) {
    this.hints = new ServiceHints(command.directory, terminal);
    this.finished = new Promise((resolve) => (this.finish = resolve));
    // Hosts send messages on standard input. On a terminal, nothing reads what a person types.
    if (!process.stdin.isTTY)
      this.relay = new StdioRelay(process.stdin, process.stdout, () => (this.inputEnded = true));
  }

  /** False before the first start, and after the app has ended by itself. */
  get isRunning(): boolean {
    return this.current !== undefined;
  }

  async swap(
    step: { modules: string[]; services: ServicePlace[] },
    manifest: Manifest,
  ): Promise<SwapOutcome> {
    if (!this.current) return { is: 'impossible', message: 'the app had ended' };
    this.current.giveManifest(manifest);
    const outcome = await this.current.swap(step.modules, step.services);
    if (outcome.is !== 'impossible')
      this.watcher?.failed(outcome.is === 'failed' ? outcome.message : undefined);
    return outcome;
  }

  /** Serves these pages of views, text by name. @returns false if the running app cannot do that for all of them */
  async show(pages: Readonly<Record<string, string>>): Promise<boolean> {
    return (await this.current?.show(pages)) ?? false;
  }

  /** Tells the packages of the running app to read these folders again. */
  async readAgain(folders: readonly string[]): Promise<ReadOutcome> {
    const outcome: ReadOutcome = (await this.current?.readAgain(folders)) ?? { is: 'ended' };
    if (outcome.is !== 'ended') this.watcher?.failed(outcome.is === 'failed' ? outcome.message : undefined);
    return outcome;
  }

  /**
   * Ends the app and starts it again, while requests wait. The old process ends first, because two processes
   * could not share a database file.
   *
   * @param back restores the last good version if the new one does not start, and returns its manifest if
   * there is one
   * @returns whether the new version started
   */
  async restart(manifest: Manifest, back: () => Manifest | undefined): Promise<boolean> {
    const { current } = this;
    this.watcher?.restarting();
    this.ports.hold();
    this.current = undefined;
    if (current) {
      await Promise.all([this.ports.idle(FINISH_MS), this.relay?.hold(FINISH_MS)]);
      await current.stop();
    }
    this.watcher?.failed(undefined);
    if (await this.start(manifest)) return true;
    this.tellFailure();
    const former = back();
    if (former && (await this.start(former))) {
      this.say('The new version does not start; the last good version continues.');
      return false;
    }
    this.rest('The app does not start; it starts again after the next change.');
    return false;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.ports.hold();
    await this.current?.stop();
    this.ports.close();
    process.stdin.pause();
  }

  private async start(manifest: Manifest): Promise<boolean> {
    if (this.isStopping) return false;
    const { entry, ports, watcher } = this;
    this.made = undefined;
    const command = { ...this.command, entry, cwd: this.terminal.cwd, watched: watcher?.environment };
    const app = new AppProcess(command, ports, {
      listening: (url) => this.greet(url),
      serving: (name) => (this.name = this.made = name),
      settled: () => {
        app.findUnserved(this.hints.servicesOf(manifest));
        watcher?.settled();
      },
      unserved: (keys) => this.hints.tell(keys),
      follow: (folders) => this.follow(folders),
      inside: (message) => watcher?.hear(message),
    });
    watcher?.started(app);
    app.giveManifest(manifest);
    const { input, output } = app.streams;
    input.on('error', () => undefined);
    if (this.relay) this.relay.listen(input, output);
    else output?.pipe(process.stdout, { end: false });
    this.current = app;
    const isReady = await app.ready;
    if (isReady) {
      watcher?.ready();
      this.relay?.connect(input);
      void app.exited.then((code) => this.lose(app, code));
    }
    return isReady;
  }

  /** Called when the app ended by itself. */
  private lose(app: AppProcess, code: number | null): void {
    if (this.current !== app || this.isStopping) return;
    this.current = undefined;
    if (code === 0 && this.inputEnded) return this.finish(exitCodes.ok);
    if (code !== 0) this.watcher?.failed(app.failure);
    this.rest(
      `The app has ended${code ? ` with exit code ${code}` : ''}; it is started again with the next change.`,
    );
  }

  /** What the app that did not start has said. */
  private tellFailure(): void {
    if (this.isStopping) return;
    const failure = this.current?.failure;
    this.watcher?.failed(failure);
    const { cwd } = this.terminal;
    const entry = relative(cwd, this.entry).split(sep).join('/');
    const told = explainEnd({ failure, server: this.made, entry, aliases: this.aliases }, cwd);
    if (told !== undefined) this.say(told);
  }

  private rest(reason: string): void {
    if (this.isStopping) return;
    this.current = undefined;
    this.watcher?.stopped();
    this.say(reason);
    this.ports.giveUp(reason);
  }

  private greet(url: string): void {
    if (this.hasGreeted) return;
    this.hasGreeted = true;
    const app = { name: this.name, user: this.command.user };
    void greet(url, app, this.terminal).then((endpoint) => endpoint && this.watcher?.serves(endpoint));
  }

  private say(text: string): void {
    this.terminal.err(styleFor(this.terminal).yellow(text));
  }
}

/** Reports decorated classes that no server of the app lists, so that nobody wonders why a tool is missing. */
class ServiceHints {
  private manifest: Pick<Manifest, 'classes' | 'entries'> = { classes: {}, entries: [] };
  private reported: readonly string[] = [];

  /** @param directory of the project */
  constructor(
    private readonly directory: string,
    private readonly terminal: Terminal,
  ) {}

  /** All services of a manifest. */
  servicesOf(manifest: Manifest): ServiceName[] {
    this.manifest = manifest;
    const { classes, entries } = manifest;
    return [...new Set(entries.map((entry) => entry.class))].flatMap((key) => {
      const definition = classes[key];
      if (!definition) return [];
      const name = definition.name.slice(definition.name.lastIndexOf('.') + 1);
      return [{ key, name, place: placeOf(definition, this.directory) }];
    });
  }

  /**
   * Prints one line for each class that was not reported before.
   *
   * @param keys of the classes that no server lists
   */
  tell(keys: readonly string[]): void {
    const { cyan, yellow } = styleFor(this.terminal);
    for (const key of keys) {
      const definition = this.manifest.classes[key];
      if (!definition || this.reported.includes(key)) continue;
      const { name, location } = definition;
      const file = relative(this.terminal.cwd, resolve(this.directory, location.file)).split(sep).join('/');
      const place = cyan(`${file}:${location.line}:${location.column}`);
      this.terminal.err(
        `${place}: ${yellow('not served')}: no server lists ${name}. Add it to the services of createMcpServer: services: [${name}].`,
      );
    }
    this.reported = keys;
  }
}
