import { actionOf } from '../actions.js';
import { stem } from '../words.js';
import { baseForm } from './base-forms.js';
import { everydayCode } from './code.js';
import { everydayMedia } from './media.js';
import { everydayMoney } from './money.js';
import { everydayPeople } from './people.js';
import { everydayVerbs } from './verbs.js';
import { everydayWork } from './work.js';

/** What a phrase means: words of APIs, with how likely each of them is meant. */
export interface SpokenMeanings {
  readonly deeds: ReadonlyMap<string, number>;
  readonly things: ReadonlyMap<string, number>;
}

/** A phrase of a query that everyday speech knows. */
export interface Spoken extends SpokenMeanings {
  /** The first word of the phrase, and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** How many words it has, without gaps. */
  readonly length: number;
}

interface Phrase {
  readonly words: readonly string[];
  readonly deeds: Map<string, number>;
  readonly things: Map<string, number>;
}

/** A phrase of more meanings than this says less about each. */
const SURE = 3;
/** Of several words of APIs on a line, a later one is meant less often. */
const LATER = 0.92;
const GAP = '*';
const LONGEST_GAP = 3;

/** All phrases by their first word. */
let known: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** A word in the form in which phrases are compared. */
export function spokenStem(word: string): string {
  return stem(baseForm(word));
}

/** Reads the phrases, which takes some milliseconds, before the first query needs them. */
export function prepareSpeech(): void {
  known ??= readPhrases();
}

/** The phrases in the words of a query, without those within longer ones. */
export function findSpoken(stems: readonly string[]): Spoken[] {
  prepareSpeech();
  const found = stems.flatMap((first, start) =>
    (known!.get(first) ?? []).flatMap((phrase): Spoken[] => {
      const end = endOf(phrase.words, 1, stems, start + 1);
      if (end === undefined) return [];
      const length = phrase.words.filter((word) => word !== GAP).length;
      return [{ start, end, length, deeds: phrase.deeds, things: phrase.things }];
    }),
  );
  return found.flatMap((one) => {
    const longer = found.filter((other) => other.length > one.length && contains(other, one));
    const deeds = longer.some((other) => other.deeds.size > 0) ? NONE : one.deeds;
    const things = longer.some((other) => other.things.size > 0) ? NONE : one.things;
    return deeds.size + things.size > 0 ? [{ ...one, deeds, things }] : [];
  });
}

const NONE: ReadonlyMap<string, number> = new Map();

const contains = (outer: Spoken, inner: Spoken) => outer.start <= inner.start && inner.end <= outer.end;

/** What people write as it is, and the phrase that means it. */
const SIGNS: readonly (readonly [sign: RegExp, phrase: string])[] = [
  [/\S+@\S+\.\w+/g, ' mail address '],
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

function readPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = new Map<string, Phrase>();
  const deeds = new Set<string>();
  const read = (text: string, areDeeds: boolean) => {
    for (const line of text.trim().split('\n')) {
      const colon = line.indexOf(':');
      const meant = line.slice(0, colon).split(/[ +]/).map(stem);
      if (areDeeds) for (const word of meant) deeds.add(word);
      for (const said of line.slice(colon + 1).split(',')) {
        const words = said
          .trim()
          .split(' ')
          .map((word) => (word === GAP ? GAP : spokenStem(word)));
        const key = words.join(' ');
        const phrase = phrases.get(key) ?? {
          words,
          deeds: new Map<string, number>(),
          things: new Map<string, number>(),
        };
        meant.forEach((word, at) => {
          const isDeed = areDeeds || deeds.has(word) || actionOf(word) !== undefined;
          const all = isDeed ? phrase.deeds : phrase.things;
          all.set(word, Math.max(all.get(word) ?? 0, isDeed || line.includes('+') ? 1 : LATER ** at));
        });
        phrases.set(key, phrase);
      }
    }
  };
  read(everydayVerbs, true);
  for (const text of [everydayPeople, everydayWork, everydayMoney, everydayCode, everydayMedia])
    read(text, false);
  const byFirst = new Map<string, Phrase[]>();
  for (const phrase of phrases.values()) {
    for (const meant of [phrase.deeds, phrase.things]) {
      const share = Math.min(1, Math.sqrt(SURE / meant.size));
      for (const [word, weight] of meant) meant.set(word, weight * share);
    }
    const all = byFirst.get(phrase.words[0]!);
    if (all) all.push(phrase);
    else byFirst.set(phrase.words[0]!, [phrase]);
  }
  return byFirst;
}
