import { getOrMake } from '@toolwright/json';
import { actionOf } from '../actions.js';
import { packedPhrases } from './packed-phrases.js';
import { readCodes } from './phrase-codes.js';

/** What a phrase means: words of APIs, with how likely each of them is meant. */
export interface SpokenMeanings {
  readonly deeds: ReadonlyMap<string, number>;
  readonly things: ReadonlyMap<string, number>;
}

/** A phrase of everyday speech, by the stems of its words. */
export interface Phrase extends SpokenMeanings {
  readonly words: readonly string[];
}

/** A phrase of more meanings than this says less about each. */
const SURE = 3;
/** Of several words of APIs on a line, a later one is meant less often. */
const LATER = 0.92;

/** All phrases that people say, each once. */
export function readPhrases(): Phrase[] {
  const words = packedPhrases.words.split(' ');
  const phrases = new Map<
    string,
    { words: string[]; deeds: Map<string, number>; things: Map<string, number> }
  >();
  const known = new Set<string>();
  const read = (packed: string, areDeeds: boolean) => {
    for (const line of packed.split(',')) {
      const [meaning = '', said = ''] = line.split(':');
      const areAllMeant = meaning.startsWith('~');
      const meant = readCodes(areAllMeant ? meaning.slice(1) : meaning, words);
      if (areDeeds) for (const word of meant) known.add(word);
      for (const key of said.split(' ')) {
        const phrase = getOrMake(phrases, key, () => ({
          words: readCodes(key, words),
          deeds: new Map(),
          things: new Map(),
        }));
        for (const [at, word] of meant.entries()) {
          const isDeed = known.has(word) || actionOf(word) !== undefined;
          const all = isDeed ? phrase.deeds : phrase.things;
          all.set(word, Math.max(all.get(word) ?? 0, isDeed || areAllMeant ? 1 : LATER ** at));
        }
      }
    }
  };
  read(packedPhrases.deeds, true);
  read(packedPhrases.things, false);
  for (const { deeds, things } of phrases.values())
    for (const meant of [deeds, things]) {
      const share = Math.min(1, Math.sqrt(SURE / meant.size));
      for (const [word, weight] of meant) meant.set(word, weight * share);
    }
  return [...phrases.values()];
}
