import { createHash } from 'node:crypto';
import { canonicalJson, cutText, HIDDEN, isObject, pointerToken } from '@toolwright/json';
import { generatedIn, isIdName } from './generated.js';
import { type Family, familyInside, familyOfId } from './id-family.js';
import type { IdPairs } from './id-pairs.js';
import { inText } from './in-text.js';
import { areSameTimes, momentIn, type Moments } from './same-times.js';

/** One thing that is other than it was. */
export interface AnswerDifference {
  /** Where it is, as a JSON pointer. */
  readonly path: string;
  /** What was recorded, in a few words. Missing if there was nothing. */
  readonly recorded?: string;
  /** What came now. Missing if there is nothing. */
  readonly replayed?: string;
  /** What happened, where the two values do not say it. */
  readonly words?: string;
}

/** What two answers are compared by. */
export interface Measure {
  readonly ids: IdPairs;
  readonly moments: Moments;
  /** What the call is about. */
  readonly family: Family;
  /** Names of members that are not compared. */
  readonly ignored: ReadonlySet<string>;
}

/** What was found in two answers. */
export interface Compared {
  readonly differences: readonly AnswerDifference[];
  /** How many values were hidden when they were recorded: nobody can compare them. */
  readonly hidden: number;
}

/** Compares two values of JSON. Ids and times that each run makes anew are the same. */
export function compareValues(recorded: unknown, replayed: unknown, measure: Measure): Compared {
  const comparison = new Comparison(measure);
  comparison.compare(recorded, replayed, { path: '', name: '', family: measure.family });
  return comparison;
}

interface Place {
  readonly path: string;
  /** The name of the member; of an item that of its list. */
  readonly name: string;
  readonly family: Family;
  /** How many lists of other lengths it is inside of. */
  readonly aligned?: number;
}

/** Each level of lists of other lengths compares some items three times, so deeper ones are compared item by item. */
const MOST_ALIGNED = 4;

class Comparison implements Compared {
  readonly differences: AnswerDifference[] = [];
  hidden = 0;

  constructor(private readonly measure: Measure) {}

  compare(was: unknown, is: unknown, place: Place): void {
    if (typeof was === 'string' && was.includes(HIDDEN)) return void this.hidden++;
    if (this.#isSame(was, is, place)) return;
    const [before, now] = [inText(was), inText(is)];
    if (Array.isArray(before) && Array.isArray(now)) this.#compareLists(before, now, place);
    else if (isObject(before) && isObject(now)) this.#compareObjects(before, now, place);
    else this.differences.push({ path: place.path, recorded: shown(was), replayed: shown(is) });
  }

  #isSame(was: unknown, is: unknown, place: Place): boolean {
    const { ids, moments } = this.measure;
    const { family, name } = place;
    if (typeof was === 'string' && typeof is === 'string') return this.#areSameTexts(was, is, place);
    if (typeof was !== 'number' || typeof is !== 'number') return was === is;
    if (isIdName(name)) return ids.areSame(String(was), String(is), familyOfId(name, family));
    if (was === is) return true;
    const [before, now] = [momentIn(was), momentIn(is)];
    return before !== undefined && now !== undefined && areSameTimes(before, now, moments);
  }

  #areSameTexts(was: string, is: string, { family, name }: Place): boolean {
    const { ids, moments } = this.measure;
    if (isIdName(name)) return ids.areSame(was, is, familyOfId(name, family));
    const [before, now] = [generatedIn(was), generatedIn(is)];
    if (before.made.length !== now.made.length) return false;
    if (before.rest.some((part, at) => part !== now.rest[at])) return false;
    return before.made.every(({ kind, text }, at) => {
      const other = now.made[at]!;
      if (kind !== other.kind) return false;
      if (kind === 'id') return ids.areSame(text, other.text, family);
      return text === other.text || areSameTimes(readTime(text), readTime(other.text), moments);
    });
  }

  #compareLists(was: readonly unknown[], is: readonly unknown[], place: Place): void {
    if (was.length !== is.length) return this.#compareLengths(was, is, place);
    const inner = new Comparison(this.measure);
    was.forEach((each, at) => inner.compare(each, is[at], itemOf(place, at)));
    this.hidden += inner.hidden;
    if (inner.differences.length > 0 && sorted(was) === sorted(is))
      this.differences.push({ path: place.path, words: 'the same items in another order' });
    else this.differences.push(...inner.differences);
  }

  /** What was put in or taken out is between the items that are the same at the beginning, and those at the end. */
  #compareLengths(was: readonly unknown[], is: readonly unknown[], place: Place): void {
    const { aligned = 0 } = place;
    const inner = { ...place, aligned: aligned + 1 };
    const shorter = aligned < MOST_ALIGNED ? Math.min(was.length, is.length) : 0;
    let head = 0;
    while (head < shorter && this.#isEqual(was[head], is[head], inner)) head++;
    let tail = 0;
    while (tail < shorter - head && this.#isEqual(was.at(-1 - tail), is.at(-1 - tail), inner)) tail++;
    const [before, now] = [was, is].map((items) => items.slice(head, items.length - tail)) as [
      unknown[],
      unknown[],
    ];
    if (before.length > 0 && now.length > 0) {
      const words = `${was.length} items became ${is.length}`;
      this.differences.push({ path: place.path, words });
    }
    for (let at = 0; at < Math.max(before.length, now.length); at++) {
      const item = itemOf(inner, head + at);
      if (at >= before.length) this.differences.push({ path: item.path, replayed: shown(now[at]) });
      else if (at >= now.length) this.differences.push({ path: item.path, recorded: shown(before[at]) });
      else this.compare(before[at], now[at], item);
    }
  }

  #isEqual(was: unknown, is: unknown, place: Place): boolean {
    const inner = new Comparison(this.measure);
    inner.compare(was, is, place);
    if (inner.differences.length === 0) this.hidden += inner.hidden;
    return inner.differences.length === 0;
  }

  #compareObjects(
    was: Readonly<Record<string, unknown>>,
    is: Readonly<Record<string, unknown>>,
    place: Place,
  ): void {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (this.measure.ignored.has(name)) continue;
      const path = `${place.path}/${pointerToken(name)}`;
      const [before, now] = [was, is].map((each) => (Object.hasOwn(each, name) ? each[name] : undefined));
      if (before === undefined) this.differences.push({ path, replayed: shown(now) });
      else if (now === undefined) {
        if (before === HIDDEN) this.hidden++;
        else this.differences.push({ path, recorded: shown(before) });
      } else
        this.compare(before, now, { ...place, path, name, family: familyInside(place.name, place.family) });
    }
  }
}

/** Some write a comma before the fraction of a second. */
const readTime = (text: string) => Date.parse(text.replace(',', '.'));

const itemOf = (place: Place, at: number): Place => ({ ...place, path: `${place.path}/${at}` });

const sorted = (items: readonly unknown[]) =>
  items
    .map((each) => canonicalJson(each))
    .sort()
    .join('\n');

const SHOWN = 120;
const BASE64 = /^[A-Za-z0-9+/_-]{200,}={0,2}$/;

/** A value in a few words. Of bytes, how many there are and their digest. */
export function shown(value: unknown): string {
  if (typeof value === 'string' && BASE64.test(value)) {
    const bytes = Buffer.from(value, 'base64');
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    return `${bytes.length} bytes (${digest})`;
  }
  return cutText(JSON.stringify(value) ?? 'nothing', SHOWN, '…');
}
