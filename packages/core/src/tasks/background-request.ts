import type {
  CallFailure,
  ClientDescription,
  LogLevel,
  TaskStart,
} from '@toolwright/ground/base/request-context';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { Observed, Telemetry } from '@toolwright/ground/ports/telemetry';
import { Cancellation } from '@toolwright/wire/response-channel';
import type { ServerInfo } from '@toolwright/wire/revision-record';
import { latestRevision } from '@toolwright/wire/revisions';
import { DerivedRequest, type OriginOfRequest } from '../requests/derived-request.js';
import { FIRST_ROUND, StatelessInput } from '../requests/client-questions.js';

/**
 * The words for methods that a package runs, and that nobody calls. What is stored of their runs is named by them, so they
 * never change. The noun `probe` and the participle `probed` give the work key `probe <name>`, the owner `probes`, the
 * operation `probe` of audit records, and `probedAt` in jobs.
 */
export interface BackgroundWords {
  readonly noun: string;
  readonly participle: string;
}

/** Who the runs in tasks belong to. No principal has it as its key, so no client ever sees them. */
export function ownerOfRuns({ noun }: Pick<BackgroundWords, 'noun'>): string {
  return `${noun}s`;
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

/** Begins a run in this process, in a turn of its own. */
export function beginRun(
  run: Run & { readonly operation: BoundTool },
  { host, telemetry }: { readonly host: RunHost; readonly telemetry: Telemetry },
): BackgroundRun {
  const request = new BackgroundRequest(run, host);
  const finish = async (): Promise<void> => {
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
  };
  return { over: Promise.resolve().then(finish), abort: (reason) => request.cancel(reason) };
}

type RunHost = { readonly info: ServerInfo; readonly logger: Logger };

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

/** The request of a run of a job. Its caller has its answer and is gone, or nobody has called. */
export abstract class JobRequest extends DerivedRequest implements TaskStart {
  readonly started = true;
  override readonly cancellation = new Cancellation();
  /** Why the run ended, if its method gave no result. */
  failure: CallFailure | undefined;

  /** @param background present if nobody has called; its log messages go to the log of the server */
  constructor(
    facts: OriginOfRequest,
    private readonly background: (BackgroundWords & { name: string; logger: Logger }) | undefined,
  ) {
    super(facts);
  }

  get task(): TaskStart {
    return this;
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  async start(): Promise<void> {
    // It has started before this run.
  }

  onStart(): void {
    // The same.
  }

  failed(failure: CallFailure): void {
    this.failure = failure;
  }

  cancel(reason: unknown): void {
    this.cancellation.abort(reason);
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (!this.background || method !== 'notifications/message') return;
    const { logger, noun, participle, name } = this.background;
    const { level, data } = params as { level: LogLevel; data: unknown };
    if (typeof data === 'string') logger[levels[level]]({ [noun]: name }, data);
    else logger[levels[level]]({ [noun]: name, data }, `A ${participle} method has logged this`);
  }
}

/** The request of a run in this process. It has no caller, and nobody who could be asked. Nothing outlives the run. */
class BackgroundRequest extends JobRequest {
  readonly progressToken = undefined;
  readonly input = new StatelessInput({}, latestRevision.features, { ...FIRST_ROUND, paid: true });

  constructor(run: Run, { info, logger }: RunHost) {
    const facts: OriginOfRequest = {
      id: runId(run.name, run.at),
      era: 'stateless',
      revision: BACKGROUND_REVISION,
      principal: undefined,
      client: serverAsClient(info),
      logLevel: 'debug',
      trace: {},
      ip: undefined,
      transport: 'memory',
    };
    super(facts, { ...run, logger });
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
