import type {
  AskMode,
  ClientInput,
  ClientMethod,
  ParentCall,
  StepAttempt,
  TaskStart,
  WrittenText,
} from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { CALL_ID } from '@toolwright/ground/call/context/rounds';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import { isSchema, type MaybePromise, quoteForm } from '@toolwright/json';
import { NOTHING } from './client-questions.js';
import { DerivedRequest } from './derived-request.js';

/** What an inner call remembers once it has asked. */
export const ASKED = 'toolwright.asked';

/** Each line of the words is marked, so no value in them looks like what the server says, or like another question. */
const quote = (words: string): string => words.replace(/^/gm, '> ');

/** The request of a call that a package makes inside of another one. Its caller is that of the call around it. */
export class InnerRequest extends DerivedRequest {
  /** Progress is that of the call around it. */
  readonly progressToken = undefined;
  readonly parent: ParentCall;
  readonly task: TaskStart | undefined;
  written: WrittenText | undefined;

  constructor(
    private readonly outer: ActiveCall,
    tool: BoundTool,
    readonly input: InnerInput,
    readonly isRecorded: boolean,
  ) {
    super(outer.request);
    const { trail, recorder, program } = outer;
    this.parent = { callId: trail?.callId, number: recorder?.number, program };
    this.task = tool.task && new AwaitedTask();
  }

  /** Aborted with the call around it: when its caller cancels it, and at its deadline. */
  get signal(): AbortSignal {
    return this.outer.signal;
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (method === 'notifications/message') this.outer.request.notify(method, params);
  }
}

/** Lets a tool with tasks run to its end: the call around it waits for the result. */
class AwaitedTask implements TaskStart {
  started = false;
  readonly #listeners: (() => void)[] = [];

  async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  onStart(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

/** The inner call that asks. */
interface Asker {
  /** What all of its keys begin with. */
  readonly prefix: string;
  /** Who asks, for the person. */
  asks(): string;
}

/**
 * The input of a call inside of another one. It asks through the call around it, and keeps there what it remembers, all of
 * it under a prefix of its own: two inner calls share no answer, no step and no key of a step.
 */
export class InnerInput implements ClientInput {
  readonly resumed: boolean;
  readonly paid: boolean;

  /**
   * Begins the input of an inner call, or goes on with it in a later round.
   *
   * @param call its prefix, the same in each round, and no other inner call has it; and who asks its questions
   * @param makeId makes the id of its records, where the call around it may run again after its process was lost
   */
  static open(outer: ClientInput, call: Asker, makeId: () => string): MaybePromise<InnerInput> {
    const { prefix } = call;
    if (!outer.step) return new InnerInput(outer, call, outer.recall(prefix + ASKED) && {});
    let isFirst = false;
    const begin = () => {
      isFirst = true;
      return { callId: makeId() };
    };
    return outer.step(prefix + BEGUN, begin, true).then((begun) => {
      const input = new InnerInput(outer, call, isFirst ? undefined : begun);
      input.remember(CALL_ID, begun.callId);
      return input;
    });
  }

  /** @param earlier what is known of the call from an earlier run of the call around it */
  private constructor(
    private readonly outer: ClientInput,
    private readonly call: Asker,
    earlier: object | undefined,
  ) {
    // A queue may lose a run before the intent was recorded, so each run records it.
    this.resumed = earlier !== undefined && !outer.step;
    this.paid = earlier !== undefined && outer.paid;
  }

  private get prefix(): string {
    return this.call.prefix;
  }

  get pending(): ClientInput['pending'] {
    const { pending } = this.outer;
    if (pending.size === 0) return NOTHING;
    return new Map([...pending].filter(([key]) => key.startsWith(this.prefix)));
  }

  get isHandedOver(): boolean {
    return this.outer.isHandedOver === true;
  }

  ask(...[key, method, params]: Parameters<ClientInput['ask']>): ReturnType<ClientInput['ask']> {
    const { message, requestedSchema: form } = params;
    const shown = {
      ...params,
      ...(typeof message === 'string' && { message: `${this.call.asks()}\n\n${quote(message)}` }),
      ...(isSchema(form) && { requestedSchema: quoteForm(form, quote) }),
    };
    return this.outer.ask(this.prefix + key, method, shown);
  }

  /** Present where the call around it has steps. It is called as a method of this input. */
  get step(): ClientInput['step'] {
    return this.outer.step && this.runStep;
  }

  private runStep<T>(key: string, run: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    return this.outer.step!(this.prefix + key, run, mayRerun);
  }

  supports(method: ClientMethod, mode?: AskMode): boolean {
    return this.outer.supports(method, mode);
  }

  recall(key: string): { value: unknown } | undefined {
    return this.outer.recall(this.prefix + key);
  }

  remember(key: string, value: unknown): void {
    this.outer.remember(this.prefix + key, value);
  }
}

const BEGUN = 'toolwright.begun';
