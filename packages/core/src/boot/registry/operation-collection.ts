import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { nameOfVersion, writtenAudience } from '../../call/operation/keys.js';
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
      for (const draft of added) this.catalogue.delete(this.catalogue.key(draft), draft);
      throw error;
    }
    if (added.length > 0) this.changed(added);
    return added.map((draft) => this.catalogue.operationOf(draft)!);
  }

  /**
   * Removes operations and adds others, and clients hear of it once. What cannot be added is refused, without the others.
   * It is for packages that pass on what somebody else defines.
   *
   * @param refused is called for each definition that cannot be added, with its index
   * @returns what was added, by the index of its definition
   */
  replace(
    removed: readonly O[],
    definitions: readonly Definition[],
    refused: (index: number, problems: readonly ConfigurationProblem[]) => void,
  ): readonly (O | undefined)[] {
    const gone = removed.flatMap((each) => {
      const key = this.catalogue.key(each);
      const drafts = this.catalogue
        .draftsOf(key)
        .filter((draft) => writtenAudience(draft) === writtenAudience(each));
      for (const draft of drafts) this.catalogue.delete(key, draft);
      return drafts;
    });
    const added = definitions.map((definition, index) => {
      const problems: ConfigurationProblem[] = [];
      const draft = this.drafted(definition, problems);
      if (draft) this.catalogue.set(this.catalogue.prepare(draft));
      else refused(index, problems);
      return draft;
    });
    const changed = [...gone, ...added.filter((draft) => draft !== undefined)];
    if (changed.length > 0) this.changed(changed);
    return added.map((draft) => draft && this.catalogue.operationOf(draft));
  }

  /** The draft of a definition that can be added; undefined if it has problems. */
  private drafted(definition: Definition, problems: ConfigurationProblem[]): Draft<O> | undefined {
    const { owner, schema } = this.drafting.options;
    const before = problems.length;
    try {
      parseOptions(owner, schema, definition);
      const draft = this.drafting.draft(definition);
      const taken = this.taken(draft);
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
    const [known, ...others] = this.catalogue.draftsOf(key);
    if (!known) return undefined;
    if (others.length > 0) throw severalOf(known);
    // The bare name of a tool with versions only repeats the newest one.
    const { version, versionOf, isUnlisted } = known as Partial<BoundOperation>;
    if (versionOf !== undefined && !isUnlisted) return this.update(nameOfVersion(versionOf, version!), wanted);
    const { owner, schema } = this.drafting.options;
    parseOptions(owner.replace('.add', '.update'), allOptional(schema), wanted);
    // A draft keeps what `for` says under another name.
    const audience = 'for' in wanted && { audience: wanted.for };
    const changes: typeof wanted = { ...this.drafting.implied?.(known, wanted), ...wanted, ...audience };
    const next = this.drafting.draft({ ...asDefinition(known), ...changes } as Definition);
    const kept = Object.entries(known).filter(([property]) => !Object.hasOwn(changes, property));
    const target = 'handler' in changes ? next.target : known.target;
    const draft = { ...(Object.fromEntries(kept) as Partial<Draft<O>>), ...next, target };
    const problems = this.drafting.check(draft);
    const moved =
      this.catalogue.key(draft) !== key || draft.audience !== known.audience
        ? this.taken(draft, known)
        : undefined;
    if (moved) problems.push(duplicateOf(draft, moved));
    if (problems.length > 0) throw new ConfigurationError(problems);
    if (this.catalogue.key(draft) !== key || draft.audience !== known.audience) this.catalogue.delete(key);
    this.catalogue.set(this.catalogue.prepare(draft));
    this.changed([draft, known]);
    return this.catalogue.operationOf(draft)!;
  }

  /**
   * Removes an operation.
   *
   * @param which its name, URI or URI template. If several have it, all are removed; what `add` returned removes one
   * @returns false when there is no such operation
   */
  remove(which: string | O): boolean {
    const key = typeof which === 'string' ? which : this.catalogue.key(which);
    const removed = this.catalogue
      .draftsOf(key)
      .filter((draft) => typeof which === 'string' || writtenAudience(draft) === writtenAudience(which));
    if (removed.length === 0) return false;
    for (const draft of removed) this.catalogue.delete(key, draft);
    this.changed(removed);
    return true;
  }

  /**
   * An operation with the same key that leaves no room for this one. Two may share a key if each is for callers of its own,
   * which only a call can show.
   */
  private taken(draft: Draft<O>, except?: Draft<O>): Draft<O> | undefined {
    const bare = (draft as { versionOf?: string }).versionOf;
    const plain = bare === undefined ? [] : this.catalogue.draftsOf(bare).filter((known) => !known.versionOf);
    return [...this.catalogue.draftsOf(this.catalogue.key(draft)), ...plain].find((known) => {
      const whom = writtenAudience(known);
      return known !== except && !(whom && draft.audience && whom !== draft.audience);
    });
  }

  /**
   * What lists show, whoever may see it.
   *
   * @param options.unlisted also the versions of tools that lists do not show, each under its own name
   */
  list({ unlisted = false }: { readonly unlisted?: boolean } = {}): readonly O[] {
    return unlisted ? this.catalogue.everything() : this.catalogue.list();
  }

  /** Tells clients that their list may have changed for a reason that only you know: a licence, a role. */
  announceChange(): void {
    this.changed([]);
  }
}

function severalOf(draft: AnyOperation): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_AUDIENCE_AMBIGUOUS',
      message: `There are several operations named "${draft.name}", for different callers.`,
      fix: 'Remove the one that changes, with what `add` returned, and add it again.',
    },
  ]);
}

type AnyOperation = { readonly name: string };

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
