import type { ClientInput, StepAttempt } from '../../base/request-context.js';

/** The attempt of a step in a process that keeps all results until the call has ended. */
export class FirstAttempt implements StepAttempt {
  readonly attempted = false;

  constructor(
    private readonly key: string,
    private readonly input: Pick<ClientInput, 'recall' | 'remember'>,
    private readonly makeId: () => string,
  ) {}

  /** Made when it is read. It is remembered, because a step that throws may run again in the next round. */
  get idempotencyKey(): string {
    const name = idempotencyKeyName(this.key);
    const known = this.input.recall(name)?.value;
    if (typeof known === 'string') return known;
    const made = this.makeId();
    this.input.remember(name, made);
    return made;
  }
}

/** Under which key a call remembers the idempotency key of a step. */
export function idempotencyKeyName(key: string): string {
  return `once-key:${key}`;
}
