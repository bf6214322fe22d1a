import type { BoundOperation } from '../pipeline/operation.js';
import type { Draft } from '../pipeline/draft.js';
import type { Catalogue } from '../pipeline/registry.js';

interface Entry<O extends BoundOperation> {
  readonly draft: Draft<O>;
  readonly operation: O;
}

/** The write side of a catalogue. Drafts are kept, so that chains can be planned again. */
export class OpenCatalogue<O extends BoundOperation> implements Catalogue<O> {
  private readonly entries = new Map<string, Entry<O>>();
  private listed: readonly O[] | undefined;

  /**
   * @param keyOf what operations of this kind are told apart by
   * @param plan makes a draft ready to run
   */
  constructor(
    private readonly keyOf: (operation: Omit<O, 'run' | 'plan' | 'contract'>) => string,
    private readonly plan: (draft: Draft<O>) => O,
  ) {}

  get(key: string): O | undefined {
    return this.entries.get(key)?.operation;
  }

  list(): readonly O[] {
    return (this.listed ??= Object.freeze([...this.entries.values()].map(({ operation }) => operation)));
  }

  /**
   * Makes a draft ready to run, without adding it yet.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<O>): O {
    return Object.freeze(this.plan(draft));
  }

  /** Adds an operation, or replaces the one of the same key in its place of the list. */
  set(draft: Draft<O>, operation = this.prepare(draft)): O {
    this.entries.set(this.keyOf(draft), { draft, operation });
    this.listed = undefined;
    return operation;
  }

  draft(key: string): Draft<O> | undefined {
    return this.entries.get(key)?.draft;
  }

  delete(key: string): boolean {
    this.listed = undefined;
    return this.entries.delete(key);
  }

  /** Plans every chain anew, after the middleware has changed. */
  replan(): void {
    const drafts = [...this.entries.values()].map(({ draft }) => draft);
    // All or none: a `when` that throws must not leave half of the tools with the new middleware.
    const planned = drafts.map((draft) => this.prepare(draft));
    drafts.forEach((draft, index) => this.set(draft, planned[index]!));
  }

  key(operation: Omit<O, 'run' | 'plan' | 'contract'>): string {
    return this.keyOf(operation);
  }
}
