import {
  type PolicyChanges,
  type PolicyEntries,
  changesOf,
  joinChanges,
} from '../../policies/change-policies.js';

/** The part of an update that adds up. */
interface Changes {
  readonly policies?: PolicyEntries | PolicyChanges | undefined;
}

/**
 * What packages pass on from somebody else, such as a server behind. Its definition changes there, and an application
 * changes it here (`update`). What the application has said counts for each later definition.
 */
export class PassedOn<Draft extends object, Update extends object> {
  readonly #drafts = new Map<string, Draft>();
  readonly #sources = new WeakMap<Draft, string>();
  /** There are as many as the application has made. */
  readonly #updates = new Map<string, Update>();

  draftOf(source: string): Draft | undefined {
    return this.#drafts.get(source);
  }

  sourceOf(draft: Draft): string | undefined {
    return this.#sources.get(draft);
  }

  updateOf(source: string): Update | undefined {
    return this.#updates.get(source);
  }

  keep(source: string, draft: Draft): void {
    this.#drafts.set(source, draft);
    this.#sources.set(draft, source);
  }

  forget(source: string): void {
    this.#drafts.delete(source);
  }

  /** An update has made another draft of one. */
  change(known: Draft, { draft, update }: { draft: Draft; update: Update }): void {
    const source = this.sourceOf(known);
    if (source === undefined) return;
    this.keep(source, draft);
    const before = this.updateOf(source);
    this.#updates.set(source, before ? joined(before, update) : update);
  }
}

function joined<Update extends Changes>(first: Update, second: Update): Update {
  const [before, after] = [first.policies, second.policies];
  const policies = before && after ? joinChanges(changesOf(before), changesOf(after)) : (after ?? before);
  return { ...first, ...second, ...(policies && { policies }) };
}
