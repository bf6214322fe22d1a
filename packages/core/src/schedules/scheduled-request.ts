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
import type { Logger } from '../ports/logger.js';
import type { ServerInfo } from '../wire/revision-record.js';
import { missingCapability, requiredCapabilities } from '../requests/client-questions.js';
import type { JsonObject } from '../wire/json-rpc.js';
import { Cancellation } from '../wire/response-channel.js';
import { latestRevision } from '../wire/revisions.js';

/** The revision in the records of runs that no client has asked for. */
export const SCHEDULED_REVISION = latestRevision.version;

/** Who a scheduled run is recorded as: the server is its own client. */
export function serverAsClient({ name, version }: ServerInfo): ClientDescription {
  return { info: { name, version }, capabilities: {} };
}

/** The request id of a run, which says what was due and when. */
export function scheduledId(schedule: string, at: number): string {
  return `${schedule} ${new Date(at).toISOString()}`;
}

interface Setting {
  readonly info: ServerInfo;
  readonly logger: Logger;
}

/** The request of a scheduled run in this process. It has no caller, and nobody who could be asked. */
export class ScheduledRequest implements RequestContext, TaskStart {
  readonly id: string;
  readonly era = 'stateless';
  readonly revision = SCHEDULED_REVISION;
  readonly principal = undefined;
  readonly client: ClientDescription;
  readonly progressToken = undefined;
  readonly logLevel = 'debug';
  readonly ip = undefined;
  readonly transport = 'memory';
  readonly started = true;
  readonly cancellation = new Cancellation();
  readonly input: ClientInput = new ScheduledInput();
  trace: TraceContext = {};
  /** Why the run ended, if its method gave no result. */
  failure: CallFailure | undefined;

  constructor(
    private readonly schedule: string,
    at: number,
    private readonly setting: Setting,
  ) {
    this.id = scheduledId(schedule, at);
    this.client = serverAsClient(setting.info);
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
    if (method === 'notifications/message') logScheduled(this.setting.logger, this.schedule, params);
  }
}

/** Remembers steps as long as the run lasts, and can ask nobody. */
class ScheduledInput implements ClientInput {
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

/** What a scheduled method logs goes to the log of the server, because there is no client. */
export function logScheduled(logger: Logger, schedule: string, params: Record<string, unknown>): void {
  const { level, data } = params as { level: LogLevel; data: unknown };
  if (typeof data === 'string') logger[levels[level]]({ schedule }, data);
  else logger[levels[level]]({ schedule, data }, 'A scheduled method has logged this');
}
