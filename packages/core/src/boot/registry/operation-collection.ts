import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { type AnyOptionSchema, allOptional, parseOptions } from '../../base/options/option-schema.js';
import type { Draft } from '../../call/operation/draft.js';
import type { EventBus, ServerEvent } from '../../ports/event-bus.js';
import { duplicateOf } from '../checks/compare-operations.js';
import type { OperationCatalogue } from './server-registry.js';

/** How definitions of one kind become drafts, and what must be true for a draft in this server. */
export interface Drafting<O extends BoundOperation, Definition> {
  /** The options that a definition may have. */
  readonly options: { readonly owner: string; readonly schema: AnyOptionSchema };
  draft(definition: Definition): Draft<O>;
  check(draft: Draft<O>): ConfigurationProblem[];
  /** The changes that follow from a change. */
  implied?(known: Draft<O>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** The operations of one kind. You can change them while the server runs, and clients hear of every change. */
export class OperationCollection<O extends BoundOperation, Definition extends object> {
  constructor(
    private readonly catalogue: OperationCatalogue<O>,
    private readonly drafting: Drafting<O, Definition>,
    /** @param drafts what came, went or changed; none when that is not known */
    private readonly changed: (...drafts: Draft<O>[]) => void,
  ) {}

  /**
   * Adds an operation.
   *
   * @throws {ConfigurationError} when the name is already used, an option is unknown, or something cannot be
   *   published
   */
  add(definition: Definition): O {
    const { owner, schema } = this.drafting.options;
    parseOptions(owner, schema, definition);
    const draft = this.drafting.draft(definition);
    const taken = this.catalogue.get(this.catalogue.key(draft));
    const problems = [...this.drafting.check(draft), ...(taken ? [duplicateOf(draft, taken)] : [])];
    if (problems.length > 0) throw new ConfigurationError(problems);
    return this.put(draft);
  }

  /**
   * Changes what is published of an operation. A decorated method stays the code that it calls.
   *
   * @param key name, URI or URI template
   * @param wanted the changes; an option that is `undefined` is removed
   * @returns undefined when there is no such operation
   * @throws {ConfigurationError} when something cannot be published
   */
  update(key: string, wanted: { [K in keyof Definition]?: Definition[K] | undefined }): O | undefined {
    const known = this.catalogue.draft(key);
    if (!known) return undefined;
    const { owner, schema } = this.drafting.options;
    parseOptions(owner.replace('.add', '.update'), allOptional(schema), wanted);
    const changes: typeof wanted = { ...this.drafting.implied?.(known, wanted), ...wanted };
    const next = this.drafting.draft({ ...asDefinition(known), ...changes } as Definition);
    const kept = Object.entries(known).filter(([property]) => !Object.hasOwn(changes, property));
    const target = 'handler' in changes ? next.target : known.target;
    const draft = { ...(Object.fromEntries(kept) as Partial<Draft<O>>), ...next, target };
    const problems = this.drafting.check(draft);
    const moved =
      this.catalogue.key(draft) !== key ? this.catalogue.get(this.catalogue.key(draft)) : undefined;
    if (moved) problems.push(duplicateOf(draft, moved));
    if (problems.length > 0) throw new ConfigurationError(problems);
    if (this.catalogue.key(draft) !== key) this.catalogue.delete(key);
    return this.put(draft, known);
  }

  /**
   * Removes an operation.
   *
   * @returns false when there is no such operation
   */
  remove(key: string): boolean {
    const removed = this.catalogue.draft(key);
    if (!removed) return false;
    this.catalogue.delete(key);
    this.changed(removed);
    return true;
  }

  list(): readonly O[] {
    return this.catalogue.list();
  }

  /** Tells clients that their list may have changed for a reason that only you know: a licence, a role. */
  announceChange(): void {
    this.changed();
  }

  private put(draft: Draft<O>, ...replaced: Draft<O>[]): O {
    this.catalogue.set(this.catalogue.prepare(draft));
    this.changed(draft, ...replaced);
    return this.catalogue.get(this.catalogue.key(draft))!;
  }
}

/** A draft has the fields of its definition, with the same names. */
function asDefinition(draft: object): object {
  return draft;
}

/** Publishes a change. If the bus cannot be reached, the change is still made. */
export function publisher(bus: EventBus, event: ServerEvent, failed: (error: unknown) => void): () => void {
  return () => {
    try {
      const published = bus.publish(event);
      if (published instanceof Promise) published.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
