import type { BoundOperation } from '../../call/operation/operation.js';
import type { Draft } from '../../call/operation/draft.js';
import { addressOf, type Identified } from '../../call/operation/keys.js';
import type { Catalogue } from '../../call/operation/registry.js';

/** An operation in a catalogue, or about to be added to one. */
export interface Entry<O extends BoundOperation> {
  readonly draft: Draft<O>;
  /** The operation. It is made when it is first looked up, or earlier if making it may fail. */
  operation: O | undefined;
}

/** Makes drafts of one kind ready to run. */
export interface Kind<O extends BoundOperation> {
  plan(draft: Draft<O>): O;
  /** True for drafts that `plan` may refuse. */
  mayFail(draft: Draft<O>): boolean;
}

/** The side of a catalogue that changes it. It keeps the drafts, so that chains can be planned again. */
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

  /**
   * The operations as drafts. Most operations of a large server are never called, so they are never planned.
   */
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
   * Does the part of adding a draft that can fail.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<O>): Entry<O> {
    return { draft, operation: this.kind.mayFail(draft) ? this.plan(draft) : undefined };
  }

  /** Adds an operation. If one with the same key exists, it is replaced at its place in the list. */
  set(entry: Entry<O>): void {
    this.entries.set(this.key(entry.draft), entry);
    this.listed = undefined;
  }

  delete(key: string): boolean {
    this.listed = undefined;
    return this.entries.delete(key);
  }

  /**
   * Plans every chain again after the middleware has changed.
   *
   * @returns a function that replaces the old chains with the new ones; if a `when` throws before, no chain
   *   changes
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
