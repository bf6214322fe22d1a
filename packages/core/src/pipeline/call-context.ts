import type { JsonSchema } from '@toolwright/manifest';
import { findPatternFaults, PATTERN_FIX } from '../schema/find-pattern-faults.js';
import type { Clock } from '../ports/clock.js';
import type { ClientMethod, LogLevel } from '../messages/request-context.js';
import { showsApps } from './app.js';
import { bindMethods } from './bind-methods.js';
import { cleanValue } from './clean-text.js';
import type { Call } from './operation.js';
import { ProgressReporter } from './progress-reporter.js';
import { ToolContext, type ContextLog, type ElicitRequest, type ElicitResult } from './tool-context.js';
import type { SampleRequest, SampleResult } from './tool-context.js';

/** RFC 5424 severities, least urgent first. */
const levels: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** What a context needs of its call. */
interface ContextCall extends Pick<Call, 'request' | 'signal' | 'onEnd'> {
  readonly environment: { readonly clock: Clock; cleanText(text: string): string };
  whileWaiting<T>(ask: () => Promise<T>): Promise<T>;
}

/** The `ToolContext` of one call. Everything in it is made when it is first used. */
export class CallContext extends ToolContext {
  readonly #call: ContextCall;
  #log: ContextLog | undefined;
  #progress: ProgressReporter | undefined;

  constructor(call: ContextCall) {
    super();
    this.#call = call;
  }

  get signal() {
    return this.#call.signal;
  }

  get requestId() {
    return this.#call.request.id;
  }

  get principal() {
    return this.#call.request.principal;
  }

  get client() {
    return this.#call.request.client;
  }

  get sessionId() {
    return this.#call.request.session?.id;
  }

  get showsApps() {
    return showsApps(this.client);
  }

  get traceparent() {
    return this.#call.request.trace.traceparent;
  }

  get log(): ContextLog {
    return (this.#log ??= this.#createLog());
  }

  progress(done: number, total?: number, message?: string): void {
    if (this.#call.request.progressToken === undefined) return;
    this.#progress ??= this.#createProgress();
    this.#progress.report({
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: this.#clean(message) }),
    });
  }

  async elicit<T = Record<string, unknown>>(key: string, request: ElicitRequest): Promise<ElicitResult<T>> {
    const { message } = request;
    if ('schema' in request) refuseSlowPatterns(key, request.schema);
    const params =
      'url' in request
        ? { mode: 'url', message, url: request.url }
        : { message, requestedSchema: request.schema };
    // A person reads all of it before deciding, the titles and choices of a form included.
    return (await this.#ask(key, 'elicitation/create', this.#clean(params))) as unknown as ElicitResult<T>;
  }

  async sample(key: string, request: SampleRequest): Promise<SampleResult> {
    const { messages, systemPrompt } = request;
    const params = {
      ...request,
      messages: this.#clean(messages),
      ...(systemPrompt !== undefined && { systemPrompt: this.#clean(systemPrompt) }),
    };
    return (await this.#ask(key, 'sampling/createMessage', params)) as unknown as SampleResult;
  }

  async roots(key = 'roots'): Promise<{ uri: string; name?: string }[]> {
    return (await this.#ask(key, 'roots/list', {})).roots as { uri: string; name?: string }[];
  }

  async once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const { input } = this.#call.request;
    const earlier = input.recall(`once:${key}`);
    if (earlier) return earlier.value as T;
    const value = await run();
    input.remember(`once:${key}`, value);
    return value;
  }

  async startTask(): Promise<void> {
    await this.#call.request.task?.start();
  }

  onCleanup(cleanup: () => unknown): void {
    this.#call.onEnd(cleanup);
  }

  /** What a tool tells people is cleaned like what it returns. */
  #clean<T>(value: T): T {
    return cleanValue(value, this.#call.environment.cleanText);
  }

  #ask(key: string, method: ClientMethod, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.#call.whileWaiting(() => this.#call.request.input.ask(key, method, params));
  }

  #createProgress(): ProgressReporter {
    const { request, environment } = this.#call;
    const { progressToken } = request;
    const reporter = new ProgressReporter(environment.clock, (progress) =>
      request.notify('notifications/progress', { progressToken, ...progress }),
    );
    this.#call.onEnd(() => reporter.end());
    return reporter;
  }

  #createLog(): ContextLog {
    const { request } = this.#call;
    const { logLevel } = request;
    const least = logLevel === undefined ? Number.POSITIVE_INFINITY : levels.indexOf(logLevel);
    const write = (level: LogLevel) => (data: unknown, logger?: string) =>
      request.notify('notifications/message', {
        level,
        ...(logger !== undefined && { logger }),
        data: this.#clean(data),
      });
    const silent = () => undefined;
    return Object.fromEntries(
      levels.map((level, rank) => [level, rank >= least ? write(level) : silent]),
    ) as ContextLog;
  }
}

bindMethods(CallContext);

/** The answer is somebody else's text. */
function refuseSlowPatterns(key: string, schema: JsonSchema): void {
  const [fault] = findPatternFaults(schema);
  if (fault) throw new TypeError(`In the schema of the question "${key}", ${fault}. ${PATTERN_FIX}`);
}
