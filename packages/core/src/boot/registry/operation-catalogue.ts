import type { BoundOperation } from '../../call/operation/operation.js';
import type { Draft } from '../../call/operation/draft.js';
import { addressOf, type Identified } from '../../call/operation/operation-key.js';
import type { Catalogue } from '../../call/operation/registry.js';

/** An operation on its way into a catalogue, or in it. */
export interface Entry<O extends BoundOperation> {
  readonly draft: Draft<O>;
  /** Made when somebody first looks the operation up, unless making it may fail. */
  operation: O | undefined;
}

/** How drafts of one kind become ready to run. */
export interface Kind<O extends BoundOperation> {
  plan(draft: Draft<O>): O;
  /** True for drafts that `plan` may refuse. */
  mayFail(draft: Draft<O>): boolean;
}

/** The write side of a catalogue. Drafts are kept, so that chains can be planned again. */
export class OperationCatalogue<O extends BoundOperation> implements Catalogue<O> {
  private entries = new Map<string, Entry<O>>();
  private listed: readonly O[] | undefined;

  constructor(private readonly kind: Kind<O>) {}

  get(key: string): O | undefined {
    const entry = this.entries.get(key);
    return entry && this.ready(entry);
  }

  list(): readonly O[] {
    return (this.listed ??= Object.freeze([...this.entries.values()].map((entry) => this.ready(entry))));
  }

  /** The same in the form in which they were declared: most operations of a large server are never called. */
  drafts(): Draft<O>[] {
    return Array.from(this.entries.values(), ({ draft }) => draft);
  }

  draft(key: string): Draft<O> | undefined {
    return this.entries.get(key)?.draft;
  }

  key(operation: Identified): string {
    return addressOf(operation);
  }

  /**
   * Makes a draft ready to run, without adding it.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  plan(draft: Draft<O>): O {
    return Object.freeze(this.kind.plan(draft));
  }

  /**
   * Does what can fail of adding a draft.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<O>): Entry<O> {
    return { draft, operation: this.kind.mayFail(draft) ? this.plan(draft) : undefined };
  }

  /** Adds an operation, or replaces the one of the same key in its place of the list. */
  set(entry: Entry<O>): void {
    this.entries.set(this.key(entry.draft), entry);
    this.listed = undefined;
  }

  delete(key: string): boolean {
    this.listed = undefined;
    return this.entries.delete(key);
  }

  /**
   * Plans every chain anew, after the middleware has changed.
   *
   * @returns puts the new chains in the place of the old ones: a `when` that throws must not leave half of them new
   */
  replan(): () => void {
    const entries = new Map(Array.from(this.entries, ([key, { draft }]) => [key, this.prepare(draft)]));
    return () => {
      this.entries = entries;
      this.listed = undefined;
    };
  }

  private ready(entry: Entry<O>): O {
    return (entry.operation ??= this.plan(entry.draft));
  }
}
