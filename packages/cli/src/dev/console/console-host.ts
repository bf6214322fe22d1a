import type { AskInside, ConsoleEvent, DevConsole, Hub, Overview } from '@toolwright/console';
import { dirname } from 'node:path';
import { readVersion } from '../../load-core.js';
import { type Terminal, styleFor } from '@toolwright/operate/terminal';
import { AgentEndpoint } from '../agents/agent-endpoint.js';
import { writeRunFile } from '../agents/run-file.js';
import type { AppProcess } from '../app/app-process.js';
import type { AppWatcher } from '../app/dev-app.js';
import type { LocalIssuer } from '../local-issuer.js';
import type { FromInside } from '../messages.js';
import type { DevCompilation } from '../problem.js';
import { AppAnswers } from './app-answers.js';
import { AppQuestions } from './app-questions.js';
import { keepAddress, readAddress, type KeptAddress } from './kept-address.js';
import { openBrowser } from './open-browser.js';
import { ProjectAnswers } from './project-answers.js';
import { SignInAnswers } from './sign-in-answers.js';
import { SourceStacks } from '../source-stacks.js';

interface ConsoleHostOptions {
  /** Absolute path of the tsconfig. */
  readonly project: string;
  /** The port of the console. Default: that of the last run, otherwise any free one. */
  readonly port?: number;
  /** How a browser reaches it through a forwarded port. */
  readonly host?: string;
  /** Whether the browser of the person opens the console. Default: no. */
  readonly open?: boolean;
  /** Whether agents may call as any caller, and answer questions in place of the person. Default: no. */
  readonly agentsAct?: boolean;
}

/** As many errors of a compilation as a banner shows. */
const MOST_ERRORS = 5;

type ConsoleModule = typeof import('@toolwright/console');

/** The console of `dev`. It outlives the app, so that recordings survive restarts. */
export class ConsoleHost implements AppWatcher {
  readonly hub: Hub;
  readonly #console: DevConsole;
  readonly #agents: AgentEndpoint;
  readonly #questions: AppQuestions;
  readonly #project: ProjectAnswers;
  readonly #signIn: SignInAnswers;
  #overview: Overview;
  #next: AppProcess | undefined;
  #runs = 0;
  readonly #stacks: SourceStacks;
  readonly #kept: KeptAddress | undefined;
  #removeRunFile: () => void = () => undefined;

  /** @param module loaded by `openConsole`, because `dev` does without it when it has to */
  constructor(
    module: ConsoleModule,
    private readonly options: ConsoleHostOptions,
  ) {
    const refusal = (message: string) => new module.ConsoleRefusal(message);
    const { project, agentsAct = false } = options;
    const directory = dirname(project);
    this.#stacks = new SourceStacks(directory);
    this.#kept = readAddress(directory);
    this.#agents = new AgentEndpoint(() => this.hub, agentsAct);
    this.#project = new ProjectAnswers({ project, directory, refusal });
    this.#signIn = new SignInAnswers({ directory, refusal, tell: (event) => this.#tell(event) });
    this.#questions = new AppQuestions({ refusal });
    const answers = new AppAnswers(this.#stacks);
    const access = ['read', 'call', 'change', 'project'] as const;
    this.#overview = { servers: [], access, app: 'starting', toolwright: readVersion() };
    this.hub = new module.Hub({
      access,
      askInside: (async (method, params) =>
        answers.complete(method, await this.#questions.ask(method, params))) as AskInside,
      project: { ...this.#project.methods, ...this.#signIn.methods },
      overview: () => this.#overview,
    });
    this.#console = new module.DevConsole(this.hub, {
      upgrade: (req, socket, head) => this.#agents.take(req, socket, head),
      ...(this.#kept && { token: this.#kept.token }),
      ...(options.host !== undefined && { host: options.host }),
    });
  }

  /**
   * Begins to listen. If the wanted port is taken, it is another one. The address of the first run is that of all later
   * ones, so that pages that are open go on.
   *
   * @returns the address with the token
   * @throws when this machine lets nobody listen
   */
  async listen(): Promise<string> {
    const kept = this.#kept;
    const address = await this.#console.listen(this.options.port ?? kept?.port);
    const { token, port } = this.#console;
    if (!kept) keepAddress(dirname(this.options.project), { port, token });
    this.#change({ appOrigin: this.#console.appOrigin });
    return address;
  }

  get port(): number {
    return this.#console.port;
  }

  /** The people of the local issuer, as whom the console can play. */
  knowsTestUsers({ issuer, users }: Pick<LocalIssuer, 'issuer' | 'users'>): void {
    this.#change({ testUsers: users.map(({ subject, scopes }) => ({ subject, scopes, issuer })) });
  }

  get environment(): NodeJS.ProcessEnv {
    return spanEnvironment(this.#console.spanEnvironment, process.env);
  }

  started(app: AppProcess): void {
    this.#next = app;
    if (this.#runs++ > 0) this.hub.recordings.nextRun();
    this.#change({ servers: [] });
  }

  ready(): void {
    this.#questions.lead(this.#next!);
    this.#change({ app: 'running' });
    for (const { id } of this.#overview.servers) this.#tell({ type: 'surface', server: id });
  }

  restarting(): void {
    this.#questions.hold();
    this.#change({ app: this.#runs > 0 ? 'restarting' : 'starting' });
  }

  stopped(): void {
    this.#questions.giveUp();
    this.#change({ app: 'stopped', servers: [] });
  }

  failed(reason: string | undefined): void {
    this.#change({ failure: reason === undefined ? undefined : this.#stacks.inSources(reason) });
  }

  serves(endpoint: string): void {
    this.#change({ endpoint });
  }

  settled(): void {
    const app = this.#next!;
    if (!app.listens)
      this.#change({ command: { program: 'node', args: [app.command.entry, ...app.command.args] } });
  }

  hear(message: FromInside): void {
    if (message.tell === 'answered') return this.#questions.hear(message);
    if (message.tell === 'happened') return this.#tell(message.event);
    if (message.tell === 'failure') return this.#takeFailure(message);
    this.#change({ servers: message.servers });
  }

  built(compilation: DevCompilation): void {
    this.#project.built(compilation);
    const { durationMs } = compilation;
    const problems = this.#project.describe(compilation.problems);
    const errors = problems.filter(({ severity }) => severity === 'error');
    this.#change({
      compileErrors:
        errors.length > 0 ? { count: errors.length, first: errors.slice(0, MOST_ERRORS) } : undefined,
    });
    this.#tell({ type: 'build', problems, durationMs });
  }

  /** The source maps of the modules that the app gets next. */
  takeMaps(maps: Iterable<readonly [module: string, text: string]>): void {
    this.#stacks.take(maps);
  }

  /** Opens the console in the browser of the person. */
  open(): Promise<void> {
    return openBrowser(this.#console.addressForOnce);
  }

  #takeFailure({ reference, text }: Extract<FromInside, { tell: 'failure' }>): void {
    const failure = this.#stacks.describe(reference, text);
    this.#project.keepFailure(failure);
    this.#tell({ type: 'failure', failure });
  }

  /**
   * Lets agents of this user in.
   *
   * @throws {CommandError} when others could read what they need for that
   */
  letAgentsIn(): void {
    const { token } = this.#agents;
    const { port } = this.#console;
    this.#removeRunFile = writeRunFile(this.options.project, { pid: process.pid, port, token });
  }

  async close(): Promise<void> {
    this.#removeRunFile();
    this.#agents.close();
    this.#signIn.close();
    await Promise.all([this.#console.close(), this.#project.close()]);
  }

  #change(change: Partial<Overview>): void {
    this.#overview = { ...this.#overview, ...change };
    this.#tell({ type: 'overview', overview: this.#overview });
  }

  #tell(event: ConsoleEvent): void {
    this.hub.hear(event);
  }
}

/** Milliseconds after which an SDK sends what it has. Its own default is five seconds, which is long for who waits. */
const SEND_AFTER_MS = '500';

/**
 * Tells an exporter of OpenTelemetry in the app to send its spans to the console. When the person sends them somewhere
 * else, nothing is changed: the token of the console must not go there.
 *
 * @param ours the place of the console, in the variables that an exporter reads
 * @param theirs the environment of `dev`
 */
export function spanEnvironment(
  ours: Readonly<Record<string, string>>,
  theirs: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY } = theirs;
  if (OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return {};
  return { ...ours, OTEL_BSP_SCHEDULE_DELAY: OTEL_BSP_SCHEDULE_DELAY ?? SEND_AFTER_MS };
}

/**
 * Opens the console of `dev`, and prints its address.
 *
 * @returns undefined when there can be none: `dev` then works without it
 */
export async function openConsole(
  options: ConsoleHostOptions,
  terminal: Terminal,
): Promise<ConsoleHost | undefined> {
  const { dim, yellow } = styleFor(terminal);
  try {
    const host = new ConsoleHost(await import('@toolwright/console'), options);
    const address = await host.listen();
    if (options.port && host.port !== options.port)
      terminal.err(dim(`port ${options.port} is taken, so the console has another one`));
    // Hosts read the protocol on standard output, so this is never written there.
    terminal.err(`console: ${address}`);
    letAgentsIn(host, terminal);
    if (options.open)
      await host.open().catch((error: Error) => {
        terminal.err(yellow(`No browser could be started (${error.message}). Open the address above.`));
      });
    return host;
  } catch (error) {
    terminal.err(yellow(`There is no console: ${(error as Error).message}`));
    return undefined;
  }
}

/** Without agents, the console works all the same. */
function letAgentsIn(host: ConsoleHost, terminal: Terminal): void {
  try {
    host.letAgentsIn();
  } catch (error) {
    terminal.err(styleFor(terminal).yellow(`Agents cannot connect: ${(error as Error).message}`));
  }
}
