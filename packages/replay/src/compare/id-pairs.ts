import { isObject, leavesOf } from '@toolwright/json';
import { generatedIn, isIdName, replaceIds } from './generated.js';
import { inText } from './in-text.js';
import { type Family, familyInside, familyOfId, isBareId, isUnique, keyOfId } from './id-family.js';

/** A result with more ids is compared as it is from there on. */
const MAX_IDS = 100_000;

/**
 * Which id of the replay belongs to which id of the recording, for one caller. Two ids belong together only if each is new to the
 * other side: a list that has the same ids in another order is a difference.
 */
export class IdPairs {
  readonly #there = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #back = new Map<string, string>();
  /** The ids that are the same in both: of short ones, several things may have the same. */
  readonly #unmoved = new Set<string>();
  readonly #recorded = new Set<string>();
  readonly #replayed = new Set<string>();

  /** Notes all ids of two answers, before they are compared. */
  see(recorded: unknown, replayed: unknown, family: Family): void {
    noteIds(recorded, this.#recorded, { family });
    noteIds(replayed, this.#replayed, { family });
  }

  /** Notes the ids that a call names: what it asks for is the same in both. */
  pin(params: unknown, family: Family): void {
    const named = idsIn(params, family);
    for (const id of named) if (!this.#there.has(id)) this.#unmoved.add(id);
  }

  /** Whether two ids may mean the same. If they do, they do so from then on. */
  areSame(before: string, now: string, family: Family): boolean {
    const [recorded, replayed] = [keyOfId(before, family), keyOfId(now, family)];
    if (recorded === replayed) {
      this.#unmoved.add(recorded);
      return true;
    }
    const known = this.#there.get(recorded);
    if (known !== undefined) return known === replayed;
    if (this.#back.has(replayed) || this.#unmoved.has(recorded)) return false;
    if (this.#recorded.has(replayed) || this.#replayed.has(recorded)) return false;
    this.#there.set(recorded, replayed);
    this.#texts.set(recorded, now);
    this.#back.set(replayed, recorded);
    return true;
  }

  /** Whether an answer, or a call that was sent, has had an id. */
  knows(key: string): boolean {
    return this.#recorded.has(key) || this.#unmoved.has(key);
  }

  /** Whether an id of a call may be that of another thing: only the tool says what it belongs to, and it has another one now. */
  isDoubtful(params: unknown, family: Family): boolean {
    const bare = new Set<string>();
    noteIds(params, bare, { family, onlyBare: true });
    return [...bare].some((key) => this.#there.has(key) && !this.#unmoved.has(key));
  }

  /** The parameters of a recorded call, with the ids that this replay was given. */
  translate(params: unknown, family: Family, name = ''): unknown {
    if (typeof params === 'string')
      return isIdName(name)
        ? this.#of(params, familyOfId(name, family))
        : replaceIds(params, (id) => this.#of(id, family));
    if (typeof params === 'number' && isIdName(name))
      return numberOf(this.#of(String(params), familyOfId(name, family)), params);
    if (Array.isArray(params))
      return params.map((each) => this.translate(each, family, name.replace(/s$/, '')));
    if (!isObject(params)) return params;
    const inside = familyInside(name, family);
    return Object.fromEntries(
      Object.entries(params).map(([key, each]) => [key, this.translate(each, inside, key)]),
    );
  }

  #of(id: string, family: Family): string {
    const key = keyOfId(id, family);
    return this.#unmoved.has(key) ? id : (this.#texts.get(key) ?? id);
  }
}

/** The ids in a value. */
export function idsIn(value: unknown, family: Family): ReadonlySet<string> {
  const found = new Set<string>();
  noteIds(value, found, { family });
  return found;
}

/** Words that look like ids in the texts of an answer: many tools say in a sentence what they have made. */
export function wordsLikeIds(value: unknown): string[] {
  return leavesOf(value).flatMap((text) => text.split(/[^\w-]+/).filter(isUnique));
}

function numberOf(text: string, otherwise: number): number {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : otherwise;
}

interface Around {
  readonly family: Family;
  readonly name?: string;
  /** Only ids that several things may have, and whose name does not say which. */
  readonly onlyBare?: boolean;
}

function noteIds(value: unknown, into: Set<string>, around: Around): void {
  const { family, name = '', onlyBare = false } = around;
  if (into.size >= MAX_IDS) return;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (isIdName(name) && (!onlyBare || (isBareId(name) && !isUnique(text))))
      into.add(keyOfId(text, familyOfId(name, family)));
    if (onlyBare || typeof value === 'number') return;
    const inner = inText(value);
    if (inner !== value) return noteIds(inner, into, around);
    for (const { kind, text: id } of generatedIn(value).made) if (kind === 'id') into.add(id);
  } else if (Array.isArray(value)) for (const each of value) noteIds(each, into, around);
  else if (isObject(value)) {
    const inside = familyInside(name, family);
    for (const [key, each] of Object.entries(value))
      noteIds(each, into, { ...around, family: inside, name: key });
  }
}
