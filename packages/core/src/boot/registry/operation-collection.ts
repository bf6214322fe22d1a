import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { allOptional, type AnyOptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import type { AnyDraft, Draft } from '../../call/operation/draft.js';
import type { EventBus, ServerEvent } from '../../ports/event-bus.js';
import { checkOperation } from '../checks/check-operation.js';
import { duplicateOf } from '../checks/find-duplicates.js';
import { findMisplacedOn } from '../checks/find-misplaced-policies.js';
import type { OperationCatalogue } from './operation-catalogue.js';

/** What definitions of one kind become, and what must hold between them and the rest of the server. */
export interface Drafting<O extends BoundOperation, Definition> {
  /** What a definition may hold. */
  readonly options: { readonly owner: string; readonly schema: AnyOptionSchema };
  draft(definition: Definition): Draft<O>;
  check?(draft: Draft<O>): ConfigurationProblem[];
  /** What else changes with a change. */
  implied?(known: Draft<O>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** Operations of one kind, to be changed while the server runs. Clients are told of every change. */
export class OperationCollection<O extends BoundOperation, Definition extends object> {
  constructor(
    private readonly catalogue: OperationCatalogue<O>,
    private readonly drafting: Drafting<O, Definition>,
    private readonly changed: () => void,
  ) {}

  /**
   * @throws {ConfigurationError} when the name is taken, an option is unknown, or something cannot be published
   */
  add(definition: Definition): O {
    const { owner, schema } = this.drafting.options;
    parseOptions(owner, schema, definition);
    const draft = this.drafting.draft(definition);
    const taken = this.catalogue.get(this.catalogue.key(draft));
    const problems = [...this.check(draft), ...(taken ? [duplicateOf(draft, taken)] : [])];
    if (problems.length > 0) throw new ConfigurationError(problems);
    return this.put(draft);
  }

  /**
   * Replaces what is published of an operation; a decorated method keeps being what it calls.
   *
   * @param key name, URI or URI template
   * @param wanted changes; what is undefined among them is taken away
   * @returns undefined when there is none
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
    const problems = this.check(draft);
    const moved =
      this.catalogue.key(draft) !== key ? this.catalogue.get(this.catalogue.key(draft)) : undefined;
    if (moved) problems.push(duplicateOf(draft, moved));
    if (problems.length > 0) throw new ConfigurationError(problems);
    if (this.catalogue.key(draft) !== key) this.catalogue.delete(key);
    return this.put(draft);
  }

  /** @returns false when there is none */
  remove(key: string): boolean {
    const removed = this.catalogue.delete(key);
    if (removed) this.changed();
    return removed;
  }

  list(): readonly O[] {
    return this.catalogue.list();
  }

  /** Tells clients that they may see another list than before, for a reason that only you know: a licence, a role. */
  announceChange(): void {
    this.changed();
  }

  private put(draft: Draft<O>): O {
    this.catalogue.set(this.catalogue.prepare(draft));
    this.changed();
    return this.catalogue.get(this.catalogue.key(draft))!;
  }

  private check(draft: Draft<O>): ConfigurationProblem[] {
    const problems: ConfigurationProblem[] = [];
    checkOperation(draft, problems);
    problems.push(...findMisplacedOn(draft as unknown as AnyDraft));
    return [...problems, ...(this.drafting.check?.(draft) ?? [])];
  }
}

/** A draft has what its definition had, under the same names. */
function asDefinition(draft: object): object {
  return draft;
}

/** Publishes a change; a bus that cannot be reached must not undo it. */
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
