import {
  PATTERN_FIX,
  asJson,
  cleanValue,
  findPatternProblems,
  fromKept,
  readDigits,
  showForm,
  showWords,
  toKept,
} from '@toolwright/json';
import { showsApps } from '../base/app-settings.js';
import { isHarmlessTwice } from '../base/content.js';
import { QuestionError } from '../base/errors/errors.js';
import { logLevels } from '../base/log.js';
import type { ClientMethod, LogLevel, StepAttempt, StepOptions } from '../base/request-context.js';
import type { Clock, IdSource } from '../ports/clock-and-ids.js';
import type { Logger } from '../ports/logger.js';
import { PARTIAL, type ProgressReport, ProgressReporter } from './context/progress-reporter.js';
import { FirstAttempt, TaskHandedOver } from './context/rounds.js';
import {
  type ContextLog,
  type ElicitRequest,
  type ElicitResult,
  type QuestionTable,
  type SampleRequest,
  type SampleResult,
  ToolContext,
  type TypedElicitRequest,
  type TypedQuestion,
  type TypedSampleResult,
} from './context/tool-context.js';
import type { BoundTool, Call, ResultParts } from './operation/operation.js';
import { structuredRequest, withValue, withoutValue } from './values/question.js';

/** What a context needs from its call. */
interface ContextCall extends Pick<Call, 'request' | 'signal' | 'onEnd'> {
  readonly environment: {
    readonly clock: Clock;
    readonly ids: IdSource;
    readonly logger: Pick<Logger, 'warn'>;
    cleanText(text: string): string;
  };
  readonly operation: {
    readonly name: string;
    readonly questions?: QuestionTable;
    readonly annotations: BoundTool['annotations'];
    readonly parts?: ResultParts | undefined;
  };
  readonly given: Readonly<Record<string, unknown>>;
  readonly hasBegun: boolean;
  whileWaiting<T>(ask: () => Promise<T>): Promise<T>;
  keepNoResult(): void;
  startTask(): Promise<void>;
  /** An error without sensitive arguments. */
  forLog(error: unknown): unknown;
}

/** The `ToolContext` of one call. Each part of it is made when it is first used. */
export class CallContext extends ToolContext {
  readonly #call: ContextCall;
  #log: ContextLog | undefined;
  #progress: ProgressReporter | undefined;
  /** How many bytes the parts of the result may still have. `undefined`: nothing was sent so far. */
  #partBytesLeft: number | undefined;

  constructor(call: ContextCall) {
    super();
    this.#call = call;
  }

  /** The property of a member that a package adds. */
  static added(name: string, make: (call: never) => unknown): PropertyDescriptor {
    return {
      configurable: true,
      get(this: CallContext) {
        const value = make(this.#call as never);
        Object.defineProperty(this, name, { value });
        return value;
      },
    };
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

  progress(done: number, total?: number, message?: string, part?: unknown): void {
    if (this.#call.request.progressToken === undefined) return;
    const { parts } = this.#call.operation;
    const written = part !== undefined && parts ? this.#writePart(part, parts) : undefined;
    this.#progress ??= this.#createProgress();
    this.#progress.report({
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
      ...(written !== undefined && { part: written }),
    });
  }

  /** Reports an item of a stream. It is a part of the result, unless middleware may change the result. */
  reportItem(count: number, item: unknown): void {
    this.progress(count, undefined, undefined, this.#call.operation.parts?.hasItems() ? [item] : undefined);
  }

  async elicit<T = Record<string, unknown>>(
    key: string,
    request: ElicitRequest | TypedElicitRequest,
  ): Promise<ElicitResult<T>> {
    const { message } = request;
    if (request.url !== undefined)
      return this.#elicit(key, { mode: 'url', message, url: request.url }) as Promise<ElicitResult<T>>;
    const question = request.schema ? undefined : this.#question(key);
    const schema = request.schema ?? question!.schema;
    // The answer comes from somebody else and is matched against these patterns.
    const [problem] = findPatternProblems(schema);
    if (problem) throw new TypeError(`In the schema of the question "${key}", ${problem}. ${PATTERN_FIX}`);
    const requestedSchema = showForm(schema, this.#call.given);
    const answer = await this.#elicit(key, { message, requestedSchema });
    if (!question || answer.action !== 'accept') return answer as ElicitResult<T>;
    return { action: 'accept', content: (await question.read(answer.content)) as T };
  }

  async sample<T>(key: string, request: SampleRequest): Promise<TypedSampleResult<T>> {
    const question = this.#call.operation.questions?.find(key, 'sample');
    const asked = question ? structuredRequest(request, question, this.#call.request.input) : request;
    const { messages, systemPrompt } = asked;
    const params = {
      ...asked,
      messages: this.#clean(messages),
      ...(systemPrompt !== undefined && { systemPrompt: this.#clean(systemPrompt) }),
    };
    const answer = (await this.#ask(key, 'sampling/createMessage', params)) as unknown as SampleResult;
    return (question ? await withValue(answer, question) : withoutValue(answer, key)) as TypedSampleResult<T>;
  }

  async roots(key = 'roots'): Promise<{ uri: string; name?: string }[]> {
    return (await this.#ask(key, 'roots/list', {})).roots as { uri: string; name?: string }[];
  }

  async once<T>(
    key: string,
    run: (step: StepAttempt) => T | Promise<T>,
    options: StepOptions = {},
  ): Promise<T> {
    const { input } = this.#call.request;
    if (input.isHandedOver) throw new TaskHandedOver();
    const earlier = input.recall(`once:${key}`);
    if (earlier) return fromKept(earlier.value) as T;
    if (input.step) {
      // A tool may say that doing a step twice does no harm.
      const mayRerun = options.rerun ?? isHarmlessTwice(this.#call.operation.annotations);
      return input.step(key, run, mayRerun);
    }
    const { ids, clock } = this.#call.environment;
    const value = await run(new FirstAttempt(key, input, () => ids.uuid(clock.now())));
    input.remember(`once:${key}`, toKept(value));
    return value;
  }

  async startTask(): Promise<void> {
    await this.#call.startTask();
  }

  onCleanup(cleanup: () => unknown): void {
    this.#call.onEnd(cleanup);
  }

  /**
   * A person reads the whole question before deciding, including the titles and choices of a form, so all of
   * it is cleaned.
   */
  #elicit(key: string, { message, ...params }: Record<string, unknown>): Promise<ElicitResult<unknown>> {
    // A person decides, so the words are shown as they are whatever the server does with output.
    const asked = { message: showWords(String(message), this.#call.given), ...this.#clean(params) };
    return this.#ask(key, 'elicitation/create', asked) as Promise<unknown> as Promise<ElicitResult<unknown>>;
  }

  #question(key: string): TypedQuestion {
    const question = this.#call.operation.questions?.find(key, 'elicit');
    if (!question) throw new QuestionError(key, 'elicit');
    return question;
  }

  /** Texts that a tool shows to people are cleaned like its results. */
  #clean<T>(value: T): T {
    return cleanValue(value, this.#call.environment.cleanText);
  }

  #ask(key: string, method: ClientMethod, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    // Next time, the person may answer something else. A confirmation comes before, and changes no result.
    if (this.#call.hasBegun) this.#call.keepNoResult();
    return this.#call.whileWaiting(() => this.#call.request.input.ask(key, method, params));
  }

  /** A part that does not fit the output schema is left out: the result follows, and is checked by itself. */
  #writePart(part: unknown, { write, limit }: ResultParts): unknown {
    if (this.#partBytesLeft === 0 || !this.showsApps) return undefined;
    try {
      const { json } = write(part);
      this.#partBytesLeft = Math.max(0, (this.#partBytesLeft ?? limit) - Buffer.byteLength(json));
      return this.#partBytesLeft === 0 ? undefined : readDigits(json);
    } catch (error) {
      const { environment, operation } = this.#call;
      environment.logger.warn(
        { err: this.#call.forLog(error), operation: operation.name },
        'A part of a result does not fit its schema',
      );
      this.#partBytesLeft = 0;
      return undefined;
    }
  }

  #createProgress(): ProgressReporter {
    const { request, environment } = this.#call;
    const { progressToken } = request;
    const send = ({ part, message, ...progress }: ProgressReport) =>
      request.notify('notifications/progress', {
        progressToken,
        ...progress,
        // Cleaned only now, because most reports of a busy tool are never sent.
        ...(message !== undefined && { message: this.#clean(message) }),
        ...(part !== undefined && { _meta: { [PARTIAL]: part } }),
      });
    const reporter = new ProgressReporter(environment.clock, send, () => request.isBehind === true);
    this.#call.onEnd(() => reporter.end());
    return reporter;
  }

  #createLog(): ContextLog {
    const { request, environment, operation } = this.#call;
    const { logLevel } = request;
    const least = logLevel === undefined ? Number.POSITIVE_INFINITY : logLevels.indexOf(logLevel);
    const write = (level: LogLevel) => (data: unknown, logger?: string) => {
      let line: unknown;
      try {
        // Every revision requires the member.
        line = this.#clean(asJson(data)) ?? null;
      } catch (err) {
        // Whether a client asked for logs must not decide how the call ends.
        environment.logger.warn(
          { err: this.#call.forLog(err), operation: operation.name },
          'A log message for the client is no JSON, so it is not sent.',
        );
        return;
      }
      request.notify('notifications/message', {
        level,
        ...(logger !== undefined && { logger: this.#clean(logger) }),
        data: line,
      });
    };
    const silent = () => undefined;
    return Object.fromEntries(
      logLevels.map((level, rank) => [level, rank >= least ? write(level) : silent]),
    ) as ContextLog;
  }
}

bindMethods(CallContext);

/** Makes the contexts of one server. Packages may add members to them. */
export class Contexts {
  #type: new (call: ContextCall) => CallContext = CallContext;

  of(call: ContextCall): CallContext {
    return new this.#type(call);
  }

  /** False for the name of a member that contexts have. */
  isFree(member: string): boolean {
    return !(member in this.#type.prototype);
  }

  /** Adds members. Each is made when it is first read in a call. */
  add(members: Readonly<Record<string, (call: never) => unknown>>): void {
    const added = Object.entries(members);
    if (added.length === 0) return;
    this.#type = class extends this.#type {};
    for (const [name, make] of added)
      Object.defineProperty(this.#type.prototype, name, CallContext.added(name, make));
  }
}

/**
 * Makes the methods of a class work when they are taken out of their object, as in `const { log, progress } =
 * ctx`. A method is bound when it is read. Binding all of them for each object would cost time in every call,
 * and few calls use any.
 */
function bindMethods(target: { prototype: object }): void {
  const { prototype } = target;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue;
    const method = value as (...args: never[]) => unknown;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object) {
        return method.bind(this);
      },
    });
  }
}
