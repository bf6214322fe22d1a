import { actionOf, isVerb } from './actions.js';
import { spokenStem } from './everyday/base-forms.js';
import { type Spoken, findLoose, findSpoken, withoutSigns } from './everyday/everyday-speech.js';
import { withoutPhrases } from './synonyms.js';
import { WEIGHTS } from './weights.js';
import { isEmptyWord, isRelation, splitWords, stem, thingOf } from './words.js';

/** A word of a query, or a phrase of everyday speech. */
export interface QueryTerm {
  /** As it was written, in lower case. */
  readonly word: string;
  /** Empty for a phrase. */
  readonly stem: string;
  /** Two words of the query as one, such as `rollback` for `roll back`. */
  readonly joined: readonly string[];
  /** How much it counts. A word that says where or how counts less: `message` in `find commits by message`. */
  readonly share: number;
  /** What people may mean by it who do not know the words of APIs, with weights. */
  readonly senses?: ReadonlyMap<string, number>;
}

/** What is asked for. */
export interface SearchQuery {
  readonly terms: readonly QueryTerm[];
  /** The stem of the thing that it is about, if it also says where or whose: `members` in `the members of a board`. */
  readonly about: string | undefined;
  /** What is to be done. */
  readonly action: string | undefined;
  /** A person says it as to another person, and not in the words of an API. */
  readonly isSpoken: boolean;
  /** It has a phrase of everyday speech, or most of one. */
  readonly hasPhrase: boolean;
}

/** After these words, a query says where or how. `of` is not among them: `the history of a channel`. */
const ASIDES = new Set(['by', 'with', 'from', 'in', 'on', 'at', 'for']);

/** Nobody says what a tool does in more characters. What comes after them would only take time. */
const LONGEST = 1_000;

/** Words by which people speak to each other. */
const SPOKEN = new Set(
  (
    'i im ive me my mine we us our you your he she him her his they them their it its this these those should must can cannot ' +
    'cant dont doesnt isnt want need would could might may let please somebody someone everybody nobody anybody nothing ' +
    'something anything never always again anymore longer not no now too already still really who whose why what where ' +
    'when how which is are was were did do does has have had will wont'
  ).split(' '),
);

/** @param asSpoken whether it is read as everyday speech, however it is written */
export function readQuery(text: string, asSpoken = false): SearchQuery {
  const cut = text.slice(0, LONGEST);
  const plain = splitWords(withoutPhrases(cut));
  const terms = termsOfWords(plain);
  const at = plain.findIndex((word, index) => index > 0 && isRelation(word));
  const about = at < 0 ? undefined : thingOf(plain.slice(0, at), isVerb);
  const words = splitWords(cut);
  const isSpoken = asSpoken || words.some((word) => SPOKEN.has(word));
  if (!isSpoken) {
    const action = terms.map((term) => actionOf(term.stem)).find((each) => each !== undefined);
    return { terms, about, action, isSpoken, hasPhrase: false };
  }
  return { ...readSpoken(splitWords(withoutSigns(cut))), about: undefined, isSpoken };
}

/** The words of a query, each once. If nothing else is left, words that say nothing count. */
function termsOfWords(words: readonly string[]): QueryTerm[] {
  const isAll = words.every(isEmptyWord);
  const terms = new Map<string, QueryTerm>();
  let isAside = false;
  words.forEach((word, at) => {
    // A query may begin with such a word.
    if (ASIDES.has(word) && terms.size > 0) isAside = true;
    if (isEmptyWord(word) && !isAll) return;
    const key = stem(word);
    if (terms.has(key)) return;
    const [before, after] = [words[at - 1], words[at + 1]];
    const joined = [before && stem(before + word), after && stem(word + after)].filter(
      (each) => each !== undefined,
    );
    terms.set(key, { word, stem: key, joined, share: isAside ? WEIGHTS.aside : 1 });
  });
  return [...terms.values()];
}

/** Whoever asks wants to know something. */
const QUESTIONS = new Set(
  'what who whose whom which where when why how is are was were do does did has have any got whats whos'.split(
    ' ',
  ),
);

function readSpoken(words: readonly string[]): Pick<SearchQuery, 'terms' | 'action' | 'hasPhrase'> {
  const stems = words.map(spokenStem);
  const spoken = findSpoken(stems);
  const votes = new Map<string, number>();
  const vote = (action: string | undefined, strength: number) => {
    if (action !== undefined) votes.set(action, (votes.get(action) ?? 0) + strength);
  };
  if (QUESTIONS.has(words[0]!)) vote('read', WEIGHTS.question);
  const deeds = new Map<string, number>();
  const saidDeeds: string[] = [];
  for (const { length, ...each } of spoken) {
    // The more words a phrase has, the less it may mean something else.
    const strength = Math.min(1, 0.4 + 0.3 * length);
    if (each.deeds.size > 0) saidDeeds.push(words.slice(each.start, each.end).join(' '));
    for (const [word, share] of each.deeds) {
      deeds.set(word, Math.max(deeds.get(word) ?? 0, share * strength));
      vote(actionOf(word), (strength * share) / each.deeds.size);
    }
  }
  const phrases = mergeOverlaps(spoken.filter(({ length, things }) => length > 1 && things.size > 0));
  const single = new Map(
    spoken.filter(({ length }) => length === 1).map(({ start, things }) => [start, things]),
  );
  const isWithin = (at: number) => phrases.some(({ start, end }) => start <= at && at < end);
  const terms: QueryTerm[] = phrases.map(({ start, end, things }) => ({
    ...phraseTerm(words.slice(start, end).join(' ')),
    senses: things,
  }));
  const seen = new Set<string>();
  words.forEach((word, at) => {
    const key = stem(word);
    const senses = single.get(at) ?? NONE;
    if (seen.has(key) || (isEmptyWord(word) && senses.size === 0)) return;
    seen.add(key);
    vote(actionOf(key), WEIGHTS.literalVote);
    terms.push({ word, stem: key, joined: [], share: isWithin(at) ? WEIGHTS.withinPhrase : 1, senses });
  });
  const loose = findLoose(stems);
  for (const [word, share] of loose.deeds) {
    const more = share - (deeds.get(word) ?? 0);
    if (more <= 0) continue;
    vote(actionOf(word), (WEIGHTS.looseVote * more) / loose.deeds.size);
    deeds.set(word, share);
  }
  const loosely = words.filter((_, at) => loose.said.has(stems[at]!)).join(' … ');
  if (deeds.size > 0) terms.push({ ...phraseTerm(saidDeeds.join(', ') || loosely), senses: deeds });
  const more = [...loose.things].filter(
    ([word, share]) => !phrases.some(({ things }) => (things.get(word) ?? 0) >= share),
  );
  if (more.length > 0) terms.push({ ...phraseTerm(loosely), senses: new Map(more) });
  const [best] = [...votes].sort(([, one], [, other]) => other - one);
  const hasPhrase = loose.said.size > 0 || spoken.some(({ length }) => length > 1);
  return { terms, action: best?.[0], hasPhrase };
}

const phraseTerm = (word: string) => ({ word, stem: '', joined: [], share: 1 });

const NONE: ReadonlyMap<string, number> = new Map();

/** Phrases that share words of the query say one thing, in several ways. */
function mergeOverlaps(
  spoken: readonly Spoken[],
): { start: number; end: number; things: Map<string, number> }[] {
  const merged: { start: number; end: number; things: Map<string, number> }[] = [];
  for (const { start, end, things } of spoken) {
    const last = merged.at(-1);
    if (last && start < last.end) {
      last.end = Math.max(last.end, end);
      for (const [word, share] of things) last.things.set(word, Math.max(share, last.things.get(word) ?? 0));
    } else merged.push({ start, end, things: new Map(things) });
  }
  return merged;
}
