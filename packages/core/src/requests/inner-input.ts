import type { AskMode, ClientInput, ClientMethod, StepAttempt } from '../base/request-context.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import { CALL_ID } from '../call/context/rounds.js';

/** What is known of an inner call from an earlier run of the call around it. */
interface Earlier {
  readonly callId?: string;
}

type Ask = Parameters<ClientInput['ask']>;
type Questions = ClientInput['pending'];

const NOTHING: Questions = new Map<string, never>();

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
   * @param prefix the same in each round, and no other inner call has it
   * @param makeId makes the id of its records, where the call around it may run again after its process was lost
   */
  static open(outer: ClientInput, prefix: string, makeId: () => string): MaybePromise<InnerInput> {
    if (!outer.step) return new InnerInput(outer, prefix, outer.recall(prefix + ASKED) && {});
    let isFirst = false;
    const begin = () => {
      isFirst = true;
      return { callId: makeId() };
    };
    return outer.step(prefix + BEGUN, begin, true).then((begun) => {
      const input = new InnerInput(outer, prefix, isFirst ? undefined : begun);
      input.remember(CALL_ID, begun.callId);
      return input;
    });
  }

  private constructor(
    private readonly outer: ClientInput,
    private readonly prefix: string,
    earlier: Earlier | undefined,
  ) {
    // A queue may lose a run before the intent was recorded, so each run records it.
    this.resumed = earlier !== undefined && !outer.step;
    this.paid = earlier !== undefined && outer.paid;
  }

  get pending(): Questions {
    const { pending } = this.outer;
    if (pending.size === 0) return NOTHING;
    return new Map([...pending].filter(([key]) => key.startsWith(this.prefix)));
  }

  get isHandedOver(): boolean {
    return this.outer.isHandedOver === true;
  }

  ask(...[key, method, params]: Ask): ReturnType<ClientInput['ask']> {
    return this.outer.ask(this.prefix + key, method, params);
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

  /** The call has ended with a question. Its next round is not charged, and has the same records. */
  asked(): void {
    this.remember(ASKED, true);
  }
}

const ASKED = 'toolwright.asked';
const BEGUN = 'toolwright.begun';
