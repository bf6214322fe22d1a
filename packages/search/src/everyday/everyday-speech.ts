import { getOrMake } from '@toolwright/json';
import { WEIGHTS } from '../weights.js';
import { type Phrase, type SpokenMeanings, readPhrases } from './phrase-book.js';
import { GAP } from './phrase-codes.js';

/** A phrase of a query that everyday speech knows. */
export interface Spoken extends SpokenMeanings {
  /** The first word of the phrase, and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** How many words it has, without gaps. */
  readonly length: number;
}

/** What a query says in nearly the words of phrases. */
export interface LooselySpoken extends SpokenMeanings {
  /** The stems that say it. */
  readonly said: ReadonlySet<string>;
}

/** A word of phrases, with how much it says. */
interface TellingWord {
  readonly says: number;
  readonly phrases: LoosePhrase[];
}

/** A phrase without its order, and without words that say nothing. */
interface LoosePhrase extends SpokenMeanings {
  /** How much all of its words say. */
  readonly whole: number;
}

interface Speech {
  /** All phrases by their first word. */
  readonly byFirst: ReadonlyMap<string, readonly Phrase[]>;
  /** Phrases of several words by each word that says something. */
  readonly byWord: ReadonlyMap<string, TellingWord>;
}

const LONGEST_GAP = 3;

/** A word that more phrases have says nothing about any of them. */
const COMMON = 0.03;

let known: Speech | undefined;

/** Reads the phrases, which takes some milliseconds, before the first query needs them. */
export function prepareSpeech(): void {
  known ??= readSpeech();
}

/** The phrases in the words of a query, without those within longer ones. */
export function findSpoken(stems: readonly string[]): Spoken[] {
  prepareSpeech();
  const found = stems.flatMap((first, start) =>
    (known!.byFirst.get(first) ?? []).flatMap((phrase): Spoken[] => {
      const end = endOf(phrase.words, 1, stems, start + 1);
      if (end === undefined) return [];
      const length = phrase.words.filter((word) => word !== GAP).length;
      return [{ start, end, length, deeds: phrase.deeds, things: phrase.things }];
    }),
  );
  const several = found.filter(({ length }) => length > 1);
  return found.flatMap((one) => {
    let isDeedWithin = false;
    let isThingWithin = false;
    for (const other of several)
      if (other.length > one.length && contains(other, one)) {
        isDeedWithin ||= other.deeds.size > 0;
        isThingWithin ||= other.things.size > 0;
      }
    const deeds = isDeedWithin ? NONE : one.deeds;
    const things = isThingWithin ? NONE : one.things;
    return deeds.size + things.size > 0 ? [{ ...one, deeds, things }] : [];
  });
}

/**
 * Phrases of which a query has most words, in any order: `where has the money come from` for `money come from`. Nobody can
 * write down all that people say.
 */
export function findLoose(stems: readonly string[]): LooselySpoken {
  prepareSpeech();
  const found = new Map<LoosePhrase, { says: number; words: string[] }>();
  for (const word of new Set(stems)) {
    const telling = known!.byWord.get(word);
    for (const phrase of telling?.phrases ?? []) {
      const so = found.get(phrase);
      if (so) {
        so.says += telling!.says;
        so.words.push(word);
      } else found.set(phrase, { says: telling!.says, words: [word] });
    }
  }
  const deeds = new Map<string, number>();
  const things = new Map<string, number>();
  const said = new Set<string>();
  for (const [phrase, { says, words }] of found) {
    const part = says / phrase.whole;
    if (words.length < 2 || part < WEIGHTS.leastLoose) continue;
    const share = WEIGHTS.loose * part ** WEIGHTS.loosePower;
    raise(deeds, phrase.deeds, share);
    raise(things, phrase.things, share);
    for (const word of words) said.add(word);
  }
  return { deeds, things, said };
}

function raise(all: Map<string, number>, meant: ReadonlyMap<string, number>, share: number): void {
  for (const [word, weight] of meant) all.set(word, Math.max(all.get(word) ?? 0, weight * share));
}

const NONE: ReadonlyMap<string, number> = new Map();

const contains = (outer: Spoken, inner: Spoken) => outer.start <= inner.start && inner.end <= outer.end;

/** What people write as it is, and the phrase that means it. */
const SIGNS: readonly (readonly [sign: RegExp, phrase: string])[] = [
  // Each part has the length that a mail address may have: a query of signs alone would be read again from each of them.
  [/(?<!\S)[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}/g, ' mail address '],
  [/(?:https?:\/\/)?\b[\w-]+\.(?:com|org|net|io|dev|app|shop|eu|uk|de)\b\S*/g, ' web address '],
  [/(?<!\S)@\w+/g, ' nickname '],
  [/(?<!\S)#[a-z][\w-]+/g, ' chat room '],
];

/** A text in which words stand for addresses and the like. */
export function withoutSigns(text: string): string {
  return SIGNS.reduce((all, [sign, phrase]) => all.replace(sign, phrase), text);
}

/** Where a phrase ends that the words from `at` on continue; `undefined` if they do not. */
function endOf(
  phrase: readonly string[],
  next: number,
  stems: readonly string[],
  at: number,
): number | undefined {
  if (next === phrase.length) return at;
  if (phrase[next] !== GAP)
    return phrase[next] === stems[at] ? endOf(phrase, next + 1, stems, at + 1) : undefined;
  for (let gap = 1; gap <= LONGEST_GAP && at + gap < stems.length; gap++) {
    const end = endOf(phrase, next + 1, stems, at + gap);
    if (end !== undefined) return end;
  }
  return undefined;
}

function readSpeech(): Speech {
  const phrases = readPhrases();
  const byFirst = new Map<string, Phrase[]>();
  const counts = new Map<string, number>();
  for (const phrase of phrases) {
    getOrMake(byFirst, phrase.words[0]!, () => []).push(phrase);
    for (const word of new Set(phrase.words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const byWord = new Map<string, TellingWord>();
  for (const [word, count] of counts)
    if (word !== GAP && count <= phrases.length * COMMON)
      byWord.set(word, { says: Math.log(phrases.length / count), phrases: [] });
  for (const { words, deeds, things } of phrases) {
    if (words.length < 2) continue;
    const telling = [...new Set(words)].flatMap((word) => byWord.get(word) ?? []);
    const whole = telling.reduce((sum, { says }) => sum + says, 0);
    const phrase = { whole, deeds, things };
    for (const { phrases: all } of telling) all.push(phrase);
  }
  return { byFirst, byWord };
}
