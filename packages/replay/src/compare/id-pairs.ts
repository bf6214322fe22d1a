import { isObject } from '@toolwright/json';
import { generatedIn, isIdName, replaceIds } from './generated.js';

/** A result with more ids is compared as it is from there on. */
const MAX_IDS = 100_000;

/**
 * Which id of the replay belongs to which id of the recording, for one caller. Two ids belong together only if each is new to the
 * other side: a list that has the same ids in another order is a difference.
 */
export class IdPairs {
  readonly #there = new Map<string, string>();
  readonly #back = new Map<string, string>();
  /** The ids that are the same in both: of short ones, several things may have the same. */
  readonly #unmoved = new Set<string>();
  readonly #recorded = new Set<string>();
  readonly #replayed = new Set<string>();

  /** Notes all ids of two answers, before they are compared. */
  see(recorded: unknown, replayed: unknown): void {
    noteIds(recorded, this.#recorded);
    noteIds(replayed, this.#replayed);
  }

  /** Notes the ids that a call names: what it asks for is the same in both. */
  pin(params: unknown): void {
    const named = new Set<string>();
    noteIds(params, named);
    for (const id of named) if (!this.#there.has(id)) this.#unmoved.add(id);
  }

  /** Whether two ids may mean the same. If they do, they do so from then on. */
  areSame(recorded: string, replayed: string): boolean {
    if (recorded === replayed) {
      this.#unmoved.add(recorded);
      return true;
    }
    const known = this.#there.get(recorded);
    if (known !== undefined) return known === replayed;
    if (this.#back.has(replayed) || this.#unmoved.has(recorded)) return false;
    if (this.#recorded.has(replayed) || this.#replayed.has(recorded)) return false;
    this.#there.set(recorded, replayed);
    this.#back.set(replayed, recorded);
    return true;
  }

  /** The parameters of a recorded call, with the ids that this replay was given. */
  translate(params: unknown, name = ''): unknown {
    if (typeof params === 'string')
      return isIdName(name) ? this.#of(params) : replaceIds(params, (id) => this.#of(id));
    if (typeof params === 'number' && isIdName(name)) return numberOf(this.#of(String(params)), params);
    if (Array.isArray(params)) return params.map((each) => this.translate(each, name.replace(/s$/, '')));
    if (!isObject(params)) return params;
    return Object.fromEntries(Object.entries(params).map(([key, each]) => [key, this.translate(each, key)]));
  }

  #of(id: string): string {
    return this.#unmoved.has(id) ? id : (this.#there.get(id) ?? id);
  }
}

function numberOf(text: string, otherwise: number): number {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : otherwise;
}

function noteIds(value: unknown, into: Set<string>, name = ''): void {
  if (into.size >= MAX_IDS) return;
  if (typeof value === 'string') {
    if (isIdName(name)) into.add(value);
    for (const { kind, text } of generatedIn(value).made) if (kind === 'id') into.add(text);
  } else if (typeof value === 'number') {
    if (isIdName(name)) into.add(String(value));
  } else if (Array.isArray(value)) for (const each of value) noteIds(each, into, name);
  else if (isObject(value)) for (const [key, each] of Object.entries(value)) noteIds(each, into, key);
}
