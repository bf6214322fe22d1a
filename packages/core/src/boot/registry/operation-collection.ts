import {
  ConfigurationError,
  type ConfigurationProblem,
} from '@toolwright/ground/base/errors/configuration-error';
import {
  type AnyOptionSchema,
  allOptional,
  parseOptions,
} from '@toolwright/ground/base/options/option-schema';
import type { Draft } from '@toolwright/ground/call/operation/draft';
import { writtenAudience } from '@toolwright/ground/call/operation/keys';
import { exactName } from '@toolwright/ground/call/operation/names';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { EventBus, ServerEvent } from '@toolwright/ground/ports/event-bus';
import {
  type PolicyChanges,
  type PolicyEntries,
  changePolicies,
  changesOf,
  checkRemoved,
  policyChanges,
} from '../../policies/change-policies.js';
import { duplicateOf, isForSome } from '../checks/compare-operations.js';
import { PassedOn } from './passed-on.js';
import type { OperationCatalogue } from './operation-catalogue.js';

/** How definitions of one kind become drafts, and what must be true for a draft in this server. */
export interface Drafting<O extends BoundOperation, Definition> {
  /** The options that a definition may have. */
  readonly options: { readonly owner: string; readonly schema: AnyOptionSchema };
  draft(definition: Definition): Draft<O>;
  check(draft: Draft<O>): ConfigurationProblem[];
  /** The changes that follow from a change. */
  implied?(known: Draft<O>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** What `update` takes: the options of a definition, and how its policies change. */
type Update<Definition> = {
  [K in keyof Definition]?:
    (K extends 'policies' ? PolicyEntries | PolicyChanges : Definition[K]) | undefined;
};

/** The operations of one kind. You can change them while the server runs, and clients hear of every change. */
export class OperationCollection<O extends BoundOperation, Definition extends object> {
  /** What packages pass on, and what updates have changed about it. */
  /** Most servers pass nothing on. */
  #passedOn: PassedOn<Draft<O>, Update<Definition>> | undefined;
  /** What has changed in parts of one change, and was not announced yet. */
  #unannounced: Draft<O>[] = [];

  constructor(
    private readonly catalogue: OperationCatalogue<O>,
    private readonly drafting: Drafting<O, Definition>,
    /** @param drafts what came, went or changed; an empty list when that is not known */
    private readonly announce: (drafts: readonly Draft<O>[]) => void,
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
    if (added.length > 0) this.announce(added);
    return added.map((draft) => this.catalogue.operationOf(draft)!);
  }

  /**
   * Removes operations and adds others, and clients hear of it once. What cannot be added is refused, without the others.
   * It is for packages that pass on what somebody else defines.
   *
   * @param removed the operations, or the texts by which you know them
   * @param refused is called for each definition that cannot be added, with its index
   * @param sources a text for each definition, by which you know it. What `update` has changed about the operation before
   * counts for the next definition with this text, too: no guard that an application has added is lost
   * @param isLast false for a part of a change: clients hear of all parts with the last one
   * @returns what was added, by the index of its definition
   */
  replace(
    removed: readonly (O | string)[],
    definitions: readonly Definition[],
    refused: (index: number, problems: readonly ConfigurationProblem[]) => void,
    sources: readonly string[] = [],
    isLast = true,
  ): readonly (O | undefined)[] {
    const gone = removed.flatMap((each) => {
      const drafts = typeof each === 'string' ? this.draftsFrom(each) : this.draftsBehind(each);
      for (const draft of drafts) this.catalogue.delete(this.catalogue.key(draft), draft);
      if (typeof each === 'string') this.#passedOn?.forget(each);
      return drafts;
    });
    const added = definitions.map((definition, index) => {
      const problems: ConfigurationProblem[] = [];
      const source = sources[index];
      const draft = this.drafted(definition, problems, source);
      if (!draft) {
        refused(index, problems);
        return undefined;
      }
      if (source !== undefined) (this.#passedOn ??= new PassedOn()).keep(source, draft);
      this.catalogue.set(this.catalogue.prepare(draft));
      return draft;
    });
    const changed = [
      ...this.#unannounced.splice(0),
      ...gone,
      ...added.filter((draft) => draft !== undefined),
    ];
    if (!isLast) this.#unannounced = changed;
    else if (changed.length > 0) this.announce(changed);
    return added.map((draft) => draft && this.catalogue.operationOf(draft));
  }

  /** The text by which a package knows an operation that it passes on; `undefined` for any other operation. */
  sourceOf(operation: O): string | undefined {
    const [draft] = this.draftsBehind(operation);
    return draft && this.#passedOn?.sourceOf(draft);
  }

  /**
   * Lets calls find an operation by a name that no list shows, such as the one by which a page of a package knows its own tool.
   *
   * @param find is asked for names that nothing has, and gives names that may be there. A call means the only one that its
   * caller has
   */
  findOtherwise(find: (name: string) => readonly string[]): void {
    this.catalogue.otherNames = find;
  }

  private draftsFrom(source: string): readonly Draft<O>[] {
    const draft = this.#passedOn?.draftOf(source);
    // The application may have removed it, and added another one in its place.
    return draft && this.catalogue.draftsOf(this.catalogue.key(draft)).includes(draft) ? [draft] : [];
  }

  private draftsBehind(operation: O): readonly Draft<O>[] {
    return this.catalogue
      .draftsOf(this.catalogue.key(operation))
      .filter((draft) => writtenAudience(draft) === writtenAudience(operation));
  }

  /** The draft of a definition that can be added; undefined if it has problems. */
  private drafted(
    definition: Definition,
    problems: ConfigurationProblem[],
    source?: string,
  ): Draft<O> | undefined {
    const { owner, schema } = this.drafting.options;
    const before = problems.length;
    try {
      parseOptions(owner, schema, definition);
      const first = this.drafting.draft(definition);
      const update = source === undefined ? undefined : this.#passedOn?.updateOf(source);
      const draft = update ? this.changed(first, update) : first;
      const taken = this.taken(draft);
      problems.push(...this.drafting.check(draft), ...(taken ? [duplicateOf(draft, taken)] : []));
      return problems.length > before ? undefined : draft;
    } catch (error) {
      if (error instanceof ConfigurationError) problems.push(...error.problems);
      // What somebody else has written may lead so deep, by references or by groups of a pattern, that the stack ends.
      else if (error instanceof RangeError && source !== undefined) problems.push(tooDeep(source));
      else throw error;
      return undefined;
    }
  }

  /**
   * Changes what is published of an operation. A decorated method stays the code that it calls.
   *
   * @param key name, URI or URI template
   * Policies are added to what the operation has, from decorators, a specification or the server behind: scopes are
   * united, and limits of one kind replace each other. Only `policies: { remove: ['Confirm'] }` takes one away.
   *
   * @param wanted the changes; an option that is `undefined` is removed
   * @returns undefined when there is no such operation
   * @throws {ConfigurationError} when something cannot be published, or `remove` names a policy that does not exist
   * @example
   * server.tools.update('cancel_booking', { policies: { add: [Confirm.entry('Sure?')], remove: ['RateLimit'] } });
   */
  update(key: string, wanted: Update<Definition>): O | undefined {
    const [known, ...others] = this.catalogue.draftsOf(key);
    if (!known) return undefined;
    if (others.length > 0) throw severalOf(known);
    // The bare name of a tool with versions only repeats the newest one.
    const { name = key, version, versionOf, isUnlisted } = known as Partial<BoundOperation>;
    if (versionOf !== undefined && !isUnlisted)
      return this.update(exactName({ name, version, versionOf }), wanted);
    const { owner, schema } = this.drafting.options;
    const rules = { ...allOptional(schema), policies: policyChanges };
    parseOptions(owner.replace('.add', '.update'), rules, wanted);
    const { policies } = wanted as WithPolicies;
    if (policies)
      checkRemoved(
        changesOf(policies),
        this.catalogue.drafts().map((draft) => draft.policies),
      );
    const draft = this.changed(known, wanted);
    const problems = this.drafting.check(draft);
    const isMoved = this.catalogue.key(draft) !== key || draft.audience !== known.audience;
    const taken = isMoved && this.taken(draft, known);
    if (taken) problems.push(duplicateOf(draft, taken));
    if (problems.length > 0) throw new ConfigurationError(problems);
    if (isMoved) this.catalogue.delete(key);
    this.catalogue.set(this.catalogue.prepare(draft));
    this.#passedOn?.change(known, { draft, update: wanted });
    this.announce([draft, known]);
    return this.catalogue.operationOf(draft)!;
  }

  /** The draft of an operation with changes. */
  private changed(known: Draft<O>, wanted: Update<Definition>): Draft<O> {
    const { policies, ...others } = wanted as WithPolicies & { for?: unknown };
    // A draft keeps what `for` says under another name.
    const audience = 'for' in others && { audience: others.for };
    const changes: Readonly<Record<string, unknown>> = {
      ...this.drafting.implied?.(known, others),
      ...others,
      ...audience,
      ...(policies && { policies: changePolicies(known.policies, changesOf(policies)) }),
    };
    // A draft has the fields of its definition, with the same names.
    const next = this.drafting.draft({ ...(known as object), ...changes } as Definition);
    const kept = Object.entries(known).filter(([property]) => !Object.hasOwn(changes, property));
    // The schema of a library belongs to the input, and not to the code: an update may change one without the other.
    const { standard } = 'inputSchema' in changes ? next.target : known.target;
    const target = { ...('handler' in changes ? next.target : known.target), standard };
    return { ...(Object.fromEntries(kept) as Partial<Draft<O>>), ...next, target };
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
    this.announce(removed);
    return true;
  }

  /**
   * An operation with the same key that leaves no room for this one. Two may share a key if each is for callers of its own,
   * which only a call can show.
   */
  private taken(draft: Draft<O>, except?: Draft<O>): Draft<O> | undefined {
    const bare = (draft as { versionOf?: string }).versionOf;
    const plain = bare === undefined ? [] : this.catalogue.draftsOf(bare).filter((known) => !known.versionOf);
    return [...this.catalogue.draftsOf(this.catalogue.key(draft)), ...plain].find(
      (known) => known !== except && isForSome(known, draft),
    );
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
    this.announce([]);
  }
}

interface WithPolicies {
  readonly policies?: PolicyEntries | PolicyChanges | undefined;
}

function severalOf(draft: { readonly name: string }): ConfigurationError {
  return new ConfigurationError({
    code: 'TW_AUDIENCE_AMBIGUOUS',
    message: `There are several operations named "${draft.name}", for different callers.`,
    fix: 'Remove the one that changes, with what `add` returned, and add it again.',
  });
}

const tooDeep = (source: string): ConfigurationProblem => ({
  code: 'TW_SCHEMA_INVALID',
  message: `A schema of "${source}" leads too deep, by its references or the groups of a pattern.`,
  fix: 'Write it with fewer levels.',
});

function isList<Definition>(given: Definition | readonly Definition[]): given is readonly Definition[] {
  return Array.isArray(given);
}

/** Publishes a change. If the bus cannot be reached, the change is still made. */
export function publisher(bus: EventBus, event: ServerEvent, failed: (error: unknown) => void): () => void {
  return () => void (async () => bus.publish(event))().catch(failed);
}
