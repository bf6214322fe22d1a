import type {
  CallFailure,
  ClientDescription,
  ClientInput,
  ClientMethod,
  LogLevel,
  RequestContext,
  TaskStart,
  TraceContext,
} from '../base/request-context.js';
import type { BoundTool } from '../call/operation/operation.js';
import type { Logger } from '../ports/logger.js';
import type { Observed, Telemetry } from '../ports/telemetry.js';
import type { ServerInfo } from '../wire/revision-record.js';
import { missingCapability, requiredCapabilities } from '../requests/client-questions.js';
import type { JsonObject } from '../wire/json-rpc.js';
import { Cancellation } from '../wire/response-channel.js';
import { latestRevision } from '../wire/revisions.js';

/**
 * The words for methods that a package runs, and that nobody calls. What is stored of their runs is named by them, so they
 * never change. The noun `probe` and the participle `probed` give the work key `probe <name>`, the owner `probes`, the
 * operation `probe` of audit records, and `probedAt` in jobs.
 */
export interface BackgroundWords {
  readonly noun: string;
  readonly participle: string;
}

/** The revision in the records of runs that no client has asked for. */
export const BACKGROUND_REVISION = latestRevision.version;

/** Who a run is recorded as: the server is its own client. */
export function serverAsClient({ name, version }: ServerInfo): ClientDescription {
  return { info: { name, version }, capabilities: {} };
}

/** The request id of a run, which says what was due and when. */
export function runId(name: string, at: number): string {
  return `${name} ${new Date(at).toISOString()}`;
}

/** A run in this process. */
export interface BackgroundRun {
  /** Resolves when it has ended. It never rejects. */
  readonly over: Promise<void>;
  /** Asks it to end. The run is over at once, whether or not its method ends. */
  abort(reason: unknown): void;
}

interface Run extends BackgroundWords {
  readonly name: string;
  readonly at: number;
}

interface RunSetting {
  readonly host: { readonly info: ServerInfo; readonly logger: Logger };
  readonly telemetry: Telemetry;
}

/** Begins a run in this process, in a turn of its own. */
export function beginRun(run: Run & { readonly operation: BoundTool }, setting: RunSetting): BackgroundRun {
  const request = new BackgroundRequest(run, setting.host);
  const over = Promise.resolve().then(() => finishRun(run, request, setting));
  return { over, abort: (reason) => request.cancellation.abort(reason) };
}

/** Never rejects. */
async function finishRun(
  run: Run & { readonly operation: BoundTool },
  request: BackgroundRequest,
  { host, telemetry }: RunSetting,
): Promise<void> {
  const observation = telemetry.observe(() => observedRun(run));
  if (observation) request.trace = observation.trace;
  try {
    const work = async () => run.operation.run(request, {});
    await (observation ? observation.run(work) : work());
  } catch (error) {
    request.failure ??= { outcome: 'error', error };
  }
  const { failure } = request;
  if (failure) logFailure(host.logger, { ...run, failure });
  observation?.end(failure && (failure.reason ?? failure.outcome ?? 'error'));
}

/** A run for telemetry. */
export function observedRun({ noun, name }: Pick<Run, 'noun' | 'name'>): Observed {
  return {
    method: noun,
    target: { attribute: `toolwright.${noun}.name`, name },
    attributes: {},
    trace: {},
  };
}

/** Nobody gets the error of a run as an answer, so all of it is logged. */
export function logFailure(
  logger: Logger,
  { noun, participle, name, at, failure }: Run & { readonly failure: CallFailure },
): void {
  const { outcome, reason, reference, error } = failure;
  const due = new Date(at).toISOString();
  logger.error({ [noun]: name, due, outcome, reason, reference, err: error }, `A ${participle} run failed`);
}

/** The request of a run in this process. It has no caller, and nobody who could be asked. */
class BackgroundRequest implements RequestContext, TaskStart {
  readonly id: string;
  readonly era = 'stateless';
  readonly revision = BACKGROUND_REVISION;
  readonly principal = undefined;
  readonly client: ClientDescription;
  readonly progressToken = undefined;
  readonly logLevel = 'debug';
  readonly ip = undefined;
  readonly transport = 'memory';
  readonly started = true;
  readonly cancellation = new Cancellation();
  readonly input: ClientInput = new BackgroundInput();
  trace: TraceContext = {};
  /** Why the run ended, if its method gave no result. */
  failure: CallFailure | undefined;

  constructor(
    private readonly run: Run,
    private readonly host: RunSetting['host'],
  ) {
    this.id = runId(run.name, run.at);
    this.client = serverAsClient(host.info);
  }

  get task(): TaskStart {
    return this;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  async start(): Promise<void> {
    // Nobody waits for it.
  }

  onStart(): void {
    // The same.
  }

  failed(failure: CallFailure): void {
    this.failure = failure;
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (method === 'notifications/message') logMessage(this.host.logger, this.run, params);
  }
}

/** Remembers steps as long as the run lasts, and can ask nobody. */
class BackgroundInput implements ClientInput {
  readonly pending = new Map<string, never>();
  readonly resumed = false;
  readonly paid = true;
  readonly #memories = new Map<string, unknown>();

  ask(_key: string, method: ClientMethod, params: JsonObject): Promise<never> {
    return Promise.reject(missingCapability(requiredCapabilities(method, params)));
  }

  supports(): boolean {
    return false;
  }

  recall(key: string): { value: unknown } | undefined {
    return this.#memories.has(key) ? { value: this.#memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    this.#memories.set(key, value);
  }
}

const levels = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<LogLevel, keyof Logger>;

/** What a background method logs goes to the log of the server, because there is no client. */
export function logMessage(
  logger: Logger,
  { noun, participle, name }: BackgroundWords & { readonly name: string },
  params: Record<string, unknown>,
): void {
  const { level, data } = params as { level: LogLevel; data: unknown };
  if (typeof data === 'string') logger[levels[level]]({ [noun]: name }, data);
  else logger[levels[level]]({ [noun]: name, data }, `A ${participle} method has logged this`);
}
