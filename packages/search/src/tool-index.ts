import SearchableMap from 'minisearch/SearchableMap';
import { actionOf } from './actions.js';
import { prepareSpeech } from './everyday/everyday-speech.js';
import { type SearchQuery, type QueryTerm, readQuery } from './query.js';
import { Spaces } from './spaces.js';
import { Synonyms } from './synonyms.js';
import { formPostings, stemPostings } from './postings.js';
import { type SearchedTool, type ToolDocument, documentOf } from './tool-document.js';
import { BOOSTS, WEIGHTS } from './weights.js';
import { wordForm } from './words.js';
import {
  type Meant,
  type Postings,
  type Ranked,
  type UnderstoodTerm,
  bestOf,
  scoreWords,
} from './word-scores.js';

/** Shorter words have too many neighbours. */
const SHORTEST_TYPO = 4;

/** How many tools of one API nothing speaks against. */
const FREE = 2;

/** How many of the best tools are put in another order, so that they come from several APIs. */
const SPREAD = 40;

/** How many of the best tools by their words are weighed by what else speaks for them. */
const WEIGHED = 200;

/** How many of the best tools are looked at for words that stand side by side. */
const GATHERED = 100;

/** What is meant less often than this would only take time. */
const LEAST_MEANT = 0.1;

/** How many of the best tools say whether a query is understood. */
const JUDGED = 3;

/** A word of a query that a tool has, or a word for the same. */
export interface Match {
  readonly said: string;
  /** The stem of the tool's word. */
  readonly found: string;
  /** The parts of the tool that have it. */
  readonly parts: readonly (keyof typeof BOOSTS)[];
}

/** Why a query finds a tool. */
export interface Explained {
  readonly score: number;
  readonly matches: readonly Match[];
}

/** What a query says about the tool as a whole. */
interface Context {
  /** All words that it may mean. */
  readonly said: ReadonlySet<string>;
  readonly space: string | undefined;
  readonly action: string | undefined;
  readonly about: string | undefined;
  /** The thing that it is about, and other words for it. */
  readonly things: ReadonlySet<string>;
  readonly isSpoken: boolean;
}

/** What a query finds. */
interface Search {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly UnderstoodTerm[];
  /** Whether one of the best tools has most of what the words of the query say. */
  readonly isUnderstood: boolean;
}

const byScore = (one: Ranked, other: Ranked) => other.score - one.score || one.position - other.position;

/** Finds tools by words. */
export class ToolIndex<T extends SearchedTool> {
  #tools: readonly T[] = [];
  #documents: readonly ToolDocument[] = [];
  #words = new SearchableMap<Postings>();
  /** The words of stems that several words share, by their keys. */
  #forms: ReadonlyMap<string, Postings> = new Map();
  readonly #spaces = new Spaces();
  readonly #known = new WeakMap<T, ToolDocument>();

  constructor(readonly synonyms: Synonyms = new Synonyms()) {
    prepareSpeech();
  }

  /** Takes in what is new, and forgets what is gone. */
  keep(tools: readonly T[]): void {
    this.#tools = tools;
    this.#documents = tools.map((tool) => this.#documentOf(tool));
    const words = stemPostings(this.#documents);
    this.#words = SearchableMap.from(words);
    this.#forms = formPostings(this.#documents);
    this.#spaces.keep(this.#documents, (word) => words.get(word)?.documents ?? []);
  }

  /**
   * @param among what may be found
   * @returns best first; equal ones in the order of the server
   */
  find(query: string, among: ReadonlySet<T>, limit: number): T[] {
    const { ranked } = this.#search(query, (position) => among.has(this.#tools[position]!));
    return ranked.slice(0, limit).map(({ position }) => this.#tools[position]!);
  }

  /**
   * Says why a query finds tools.
   *
   * @returns one for each tool, in their order; the score is 0 where no word of the query finds the tool
   */
  explain(query: string, tools: readonly T[]): Explained[] {
    const { ranked, terms } = this.#search(query, () => true);
    const scores = new Map(ranked.map(({ position, score }) => [this.#tools[position], score]));
    return tools.map((tool) => {
      const position = this.#tools.indexOf(tool);
      const matches = terms.flatMap(({ term, meant }) => this.#matchOf(term.word, meant, position) ?? []);
      return { score: scores.get(tool) ?? 0, matches };
    });
  }

  #matchOf(said: string, meant: readonly Meant[], position: number): Match | undefined {
    let best: { word: string; value: number } | undefined;
    for (const { word, postings, weight } of meant) {
      const at = postings.documents.indexOf(position);
      const value = at < 0 ? 0 : weight * postings.impacts[at]! * postings.rarity;
      if (value > (best?.value ?? 0)) best = { word, value };
    }
    if (!best) return undefined;
    const document = this.#documents[position]!;
    const parts = Object.keys(BOOSTS) as (keyof typeof BOOSTS)[];
    return { said, found: best.word, parts: parts.filter((part) => document[part].includes(best.word)) };
  }

  /** Names that are like a name that does not exist. */
  nearest(name: string, among: readonly T[]): string[] {
    return this.find(name, new Set(among), 2).map((tool) => tool.name);
  }

  /** Reads a query as it is written. If hardly a tool has its words, it is read as everyday speech, too. */
  #search(text: string, may: (position: number) => boolean): Search {
    const query = readQuery(text);
    const written = this.#rank(query, may);
    if (query.isSpoken || written.isUnderstood) return written;
    const speech = readQuery(text, true);
    if (!speech.hasPhrase) return written;
    const spoken = this.#rank(speech, may);
    return {
      ranked: fuse(written.ranked, spoken.ranked),
      terms: [...written.terms, ...spoken.terms],
      isUnderstood: false,
    };
  }

  #rank(query: SearchQuery, may: (position: number) => boolean): Search {
    const { about, action, isSpoken } = query;
    const terms = query.terms.map((term) => ({ term, meant: this.#meant(term) }));
    const coverage = isSpoken ? WEIGHTS.spokenCoverage : WEIGHTS.coverage;
    const { scores, coverageOf } = scoreWords(terms, this.#tools.length, coverage);
    const senses = terms.map(({ meant }) => new Set(meant.map(({ word }) => word)));
    const said = new Set(senses.flatMap((words) => [...words]));
    const space = this.#spaces.namedBy(query.terms.map(({ stem }) => stem));
    const things = new Set(about === undefined ? [] : [about, ...this.synonyms.of(about).keys()]);
    const context = { said, space, action, about, things, isSpoken };
    const found = bestOf(scores, WEIGHED, may).map(({ position, score }) => ({
      position,
      score: score * this.#prior(position, context),
    }));
    found.sort(byScore);
    const isUnderstood = found
      .slice(0, JUDGED)
      .some(({ position }) => coverageOf(position) >= WEIGHTS.understood);
    const near = this.#gather(found, senses);
    return { ranked: space === undefined ? this.#spread(near) : near, terms, isUnderstood };
  }

  /** Words that stand side by side in a query are one thing: `audit log`. Tools that have them side by side gain. */
  #gather(found: readonly Ranked[], senses: readonly ReadonlySet<string>[]): readonly Ranked[] {
    if (senses.length < 2) return found;
    const gathered = found.slice(0, GATHERED).map(({ position, score }) => {
      const { name, summary } = this.#documents[position]!;
      let pairs = 0;
      for (let at = 1; at < senses.length; at++)
        if (hasPair(name, senses[at - 1]!, senses[at]!) || hasPair(summary, senses[at - 1]!, senses[at]!))
          pairs++;
      return { position, score: score * (1 + (WEIGHTS.neighbours * pairs) / (senses.length - 1)) };
    });
    return [...gathered.sort(byScore), ...found.slice(GATHERED)];
  }

  /** Several APIs may have what a query wants. If it names none, the best tools of one API leave room for others. */
  #spread(found: readonly Ranked[]): readonly Ranked[] {
    const best = new Map<string, number>();
    const spread = found.slice(0, SPREAD).map(({ position, score }) => {
      const space = this.#spaces.of(position) ?? '';
      const before = best.get(space) ?? 0;
      best.set(space, before + 1);
      return { position, score: score * WEIGHTS.sameSpace ** Math.max(0, before - FREE) };
    });
    return [...spread.sort(byScore), ...found.slice(SPREAD)];
  }

  /** How likely a tool is meant, apart from the words that it has. */
  #prior(position: number, { said, space, action, about, things, isSpoken }: Context): number {
    const { name, action: own, required, thing } = this.#documents[position]!;
    let unsaid = 0;
    for (let at = this.#spaces.isName(name[0] ?? '', position) ? 1 : 0; at < name.length; at++)
      if (!said.has(name[at]!) && actionOf(name[at]!) === undefined) unsaid++;
    let prior =
      1 /
      (1 + (isSpoken ? WEIGHTS.spokenExtraName : WEIGHTS.extraName) * (unsaid / Math.max(1, name.length)));
    prior /= 1 + (isSpoken ? WEIGHTS.spokenRequired : WEIGHTS.required) * required;
    if (isSpoken) prior /= 1 + WEIGHTS.spokenLong * Math.max(0, name.length - 4);
    if (space !== undefined && this.#spaces.of(position) !== space) prior *= WEIGHTS.otherSpace;
    if (action !== undefined && own !== undefined && own !== action)
      prior *= isSpoken ? WEIGHTS.spokenOtherAction : WEIGHTS.otherAction;
    if (thing !== undefined && (thing === about || things.has(thing))) prior *= 1 + WEIGHTS.thing;
    else if (thing !== undefined && said.has(thing) && about !== undefined && name.includes(about))
      prior *= WEIGHTS.otherThing;
    return prior;
  }

  /** The words of tools that a word of a query may mean. */
  #meant({ word: said, stem: term, joined, senses }: QueryTerm): Meant[] {
    const found: Meant[] = [];
    const add = (word: string, weight: number) => {
      const postings = this.#words.get(word);
      if (postings) found.push({ word, postings, weight });
    };
    const form = wordForm(said);
    const exact = this.#forms.get(form.key);
    if (exact) found.push({ word: term, postings: exact, weight: 1 });
    if (term !== '') add(term, exact ? WEIGHTS.sameStem : 1);
    for (const word of joined) add(word, WEIGHTS.joined);
    // Where tools have the word itself, it does not mean what other words of its stem mean.
    if (!exact || this.synonyms.knows(form))
      for (const [synonym, weight] of this.synonyms.of(term)) add(synonym, weight);
    if (senses) {
      const all = new Map(senses);
      for (const [word, share] of senses)
        for (const [synonym, weight] of this.synonyms.of(word))
          all.set(synonym, Math.max(all.get(synonym) ?? 0, share * weight * WEIGHTS.senseSynonym));
      for (const [word, weight] of all) if (weight >= LEAST_MEANT) add(word, weight);
      if (found.length > 0 || senses.size > 0 || term.length < 6) return found;
      for (const [word] of this.#words.fuzzyGet(term, 1)) add(word, WEIGHTS.typo);
      return found;
    }
    if (found.length > 0) return found;
    for (const [synonym, weight] of this.synonyms.inDictionary(term)) add(synonym, weight);
    if (found.length > 0 || term.length < SHORTEST_TYPO) return found;
    for (const word of this.#words.atPrefix(term).keys()) add(word, WEIGHTS.prefix);
    if (found.length > 0) return found;
    for (const [word] of this.#words.fuzzyGet(term, term.length > 5 ? 2 : 1)) add(word, WEIGHTS.typo);
    return found;
  }

  #documentOf(tool: T): ToolDocument {
    let document = this.#known.get(tool);
    if (!document) this.#known.set(tool, (document = documentOf(tool)));
    return document;
  }
}

/** Two rankings as one, by the places that a tool has in them (reciprocal rank fusion). */
function fuse(written: readonly Ranked[], spoken: readonly Ranked[]): Ranked[] {
  const scores = new Map<number, number>();
  const add = (ranked: readonly Ranked[], weight: number) => {
    for (const [place, { position }] of ranked.entries())
      scores.set(position, (scores.get(position) ?? 0) + weight / (WEIGHTS.fusion + place));
  };
  add(written, WEIGHTS.written);
  add(spoken, 1);
  return [...scores].map(([position, score]) => ({ position, score })).sort(byScore);
}

function hasPair(words: readonly string[], one: ReadonlySet<string>, next: ReadonlySet<string>): boolean {
  for (let at = 1; at < words.length; at++) if (one.has(words[at - 1]!) && next.has(words[at]!)) return true;
  return false;
}
