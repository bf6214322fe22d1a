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
    /** @param drafts what came, went or changed; an empty list when that is not known */
    private readonly changed: (drafts: readonly Draft<O>[]) => void,
  ) {}

  /**
   * Adds all operations of a list, or none. Clients hear of them once.
   *
   * @throws {ConfigurationError} with the problems of all of them
   */
  add(definitions: readonly Definition[]): readonly O[];
  /**
   * Adds an operation.
   *
   * @throws {ConfigurationError} when the name is already used, an option is unknown, or something cannot be
   *   published
   */
  add(definition: Definition): O;
  add(given: Definition | readonly Definition[]): O | readonly O[] {
    return isList(given) ? this.addAll(given) : this.addAll([given])[0]!;
  }

  /** Each is put at once, so that the next ones are compared with it. All are taken out again if one has a problem. */
  private addAll(definitions: readonly Definition[]): readonly O[] {
    const problems: ConfigurationProblem[] = [];
    const added: Draft<O>[] = [];
    try {
      for (const definition of definitions) {
        const draft = this.drafted(definition, problems);
        if (!draft) continue;
        this.catalogue.set(this.catalogue.prepare(draft));
        added.push(draft);
      }
      if (problems.length > 0) throw new ConfigurationError(problems);
    } catch (error) {
      for (const draft of added) this.catalogue.delete(this.catalogue.key(draft));
      throw error;
    }
    if (added.length > 0) this.changed(added);
    return added.map((draft) => this.catalogue.get(this.catalogue.key(draft))!);
  }

  /** The draft of a definition that can be added; undefined if it has problems. */
  private drafted(definition: Definition, problems: ConfigurationProblem[]): Draft<O> | undefined {
    const { owner, schema } = this.drafting.options;
    const before = problems.length;
    try {
      parseOptions(owner, schema, definition);
      const draft = this.drafting.draft(definition);
      const taken = this.catalogue.get(this.catalogue.key(draft));
      problems.push(...this.drafting.check(draft), ...(taken ? [duplicateOf(draft, taken)] : []));
      return problems.length > before ? undefined : draft;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
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
    this.catalogue.set(this.catalogue.prepare(draft));
    this.changed([draft, known]);
    return this.catalogue.get(this.catalogue.key(draft))!;
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
    this.changed([removed]);
    return true;
  }

  list(): readonly O[] {
    return this.catalogue.list();
  }

  /** Tells clients that their list may have changed for a reason that only you know: a licence, a role. */
  announceChange(): void {
    this.changed([]);
  }
}

function isList<Definition>(given: Definition | readonly Definition[]): given is readonly Definition[] {
  return Array.isArray(given);
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
