import { getOrMake } from '@toolwright/json';
import { actionOf } from './actions.js';
import { prepareSpeech } from './everyday/everyday-speech.js';
import { type SearchQuery, readQuery } from './query.js';
import { type SpaceNames, Spaces, spaceNames } from './spaces.js';
import { Synonyms } from './synonyms.js';
import { type SearchedTool, type ToolDocument, documentOf } from './tool-document.js';
import { VisibleTools } from './visible-tools.js';
import { BOOSTS, WEIGHTS } from './weights.js';
import { WordIndex } from './word-index.js';
import { type Meant, type Ranked, type UnderstoodTerm, bestOf, scoreWords } from './word-scores.js';

/** How many tools of one API nothing speaks against. */
const FREE = 2;

/** How many of the best tools are put in another order, so that they come from several APIs. */
const SPREAD = 40;

/** How many of the best tools by their words are weighed by what else speaks for them. */
const WEIGHED = 200;

/** How many of the best tools are looked at for words that stand side by side. */
const GATHERED = 100;

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
  readonly spaces: Spaces;
  /** The space that it names. */
  readonly space: string | undefined;
  readonly action: string | undefined;
  readonly about: string | undefined;
  /** The thing that it is about, and other words for it. */
  readonly things: ReadonlySet<string>;
  readonly isSpoken: boolean;
}

/** What a caller may find, and what it can know of the places that it comes from. */
interface View {
  readonly visible: VisibleTools;
  readonly spaces: Spaces;
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
  #positions: ReadonlyMap<T, number> = new Map();
  #names: SpaceNames = spaceNames([], () => []);
  /** That of callers from whom nothing is hidden. */
  #whole: View = this.#viewOf(VisibleTools.everything(0));
  readonly #words: WordIndex;
  readonly #known = new WeakMap<T, ToolDocument>();

  constructor(readonly synonyms: Synonyms = new Synonyms()) {
    this.#words = new WordIndex(synonyms);
    prepareSpeech();
  }

  /** Takes in what is new, and forgets what is gone. */
  keep(tools: readonly T[]): void {
    this.#tools = tools;
    this.#documents = tools.map((tool) => this.#documentOf(tool));
    this.#positions = new Map(tools.map((tool, position) => [tool, position]));
    this.#names = spaceNames(this.#documents, this.#words.keep(this.#documents));
    this.#whole = this.#viewOf(VisibleTools.everything(tools.length));
  }

  #viewOf(visible: VisibleTools): View {
    return { visible, spaces: new Spaces(this.#names, visible) };
  }

  /** The same tools give the same answers, whatever else the index has. */
  #viewAmong(among: readonly T[]): View {
    const all = this.#tools;
    if (among.length === all.length && among.every((tool, at) => tool === all[at])) return this.#whole;
    const positions: number[] = [];
    for (const tool of among) {
      const position = this.#positions.get(tool);
      if (position !== undefined) positions.push(position);
    }
    return this.#viewOf(VisibleTools.at(positions, all.length));
  }

  /**
   * @param among what may be found, each once
   * @returns best first; equal ones in the order of the server
   */
  find(query: string, among: readonly T[], limit: number): T[] {
    const { ranked } = this.#search(query, this.#viewAmong(among));
    return ranked.slice(0, limit).map(({ position }) => this.#tools[position]!);
  }

  /**
   * Says why a query finds tools.
   *
   * @returns one for each tool, in their order; the score is 0 where no word of the query finds the tool
   */
  explain(query: string, tools: readonly T[]): Explained[] {
    const { ranked, terms } = this.#search(query, this.#whole);
    const scores = new Map(ranked.map(({ position, score }) => [this.#tools[position], score]));
    return tools.map((tool) => {
      const position = this.#positions.get(tool) ?? -1;
      const matches = terms.flatMap(({ term, meant }) => this.#matchOf(term.word, meant, position) ?? []);
      return { score: scores.get(tool) ?? 0, matches };
    });
  }

  #matchOf(said: string, meant: readonly Meant[], position: number): Match | undefined {
    let best: { word: string; value: number } | undefined;
    for (const { word, postings, weight, rarity } of meant) {
      const at = postings.documents.indexOf(position);
      const value = at < 0 ? 0 : weight * postings.impacts[at]! * rarity;
      if (value > (best?.value ?? 0)) best = { word, value };
    }
    if (!best) return undefined;
    const document = this.#documents[position]!;
    const parts = Object.keys(BOOSTS) as (keyof typeof BOOSTS)[];
    return { said, found: best.word, parts: parts.filter((part) => document[part].includes(best.word)) };
  }

  /** Names that are like a name that does not exist. */
  nearest(name: string, among: readonly T[]): string[] {
    return this.find(name, among, 2).map((tool) => tool.name);
  }

  /** Reads a query as it is written. If hardly a tool has its words, it is read as everyday speech, too. */
  #search(text: string, view: View): Search {
    const query = readQuery(text);
    const written = this.#rank(query, view);
    if (query.isSpoken || written.isUnderstood) return written;
    const speech = readQuery(text, true);
    if (!speech.hasPhrase) return written;
    const spoken = this.#rank(speech, view);
    return {
      ranked: fuse(written.ranked, spoken.ranked),
      terms: [...written.terms, ...spoken.terms],
      isUnderstood: false,
    };
  }

  #rank(query: SearchQuery, { visible, spaces }: View): Search {
    const { about, action, isSpoken } = query;
    const terms = query.terms.map((term) => ({ term, meant: this.#words.meantBy(term, visible) }));
    const coverage = isSpoken ? WEIGHTS.spokenCoverage : WEIGHTS.coverage;
    const { scores, coverageOf } = scoreWords(terms, this.#tools.length, coverage);
    const senses = terms.map(({ meant }) => new Set(meant.map(({ word }) => word)));
    const said = new Set(senses.flatMap((words) => [...words]));
    const space = spaces.namedBy(query.terms.map(({ stem }) => stem));
    const things = new Set(about === undefined ? [] : [about, ...this.synonyms.of(about).keys()]);
    const context = { said, spaces, space, action, about, things, isSpoken };
    const found = bestOf(scores, WEIGHED, visible).map(({ position, score }) => ({
      position,
      score: score * this.#prior(position, context),
    }));
    found.sort(byScore);
    const isUnderstood = found
      .slice(0, JUDGED)
      .some(({ position }) => coverageOf(position) >= WEIGHTS.understood);
    const near = this.#gather(found, senses);
    return { ranked: space === undefined ? this.#spread(near, spaces) : near, terms, isUnderstood };
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
  #spread(found: readonly Ranked[], spaces: Spaces): readonly Ranked[] {
    const best = new Map<string, number>();
    const spread = found.slice(0, SPREAD).map(({ position, score }) => {
      const space = spaces.of(position) ?? '';
      const before = best.get(space) ?? 0;
      best.set(space, before + 1);
      return { position, score: score * WEIGHTS.sameSpace ** Math.max(0, before - FREE) };
    });
    return [...spread.sort(byScore), ...found.slice(SPREAD)];
  }

  /** How likely a tool is meant, apart from the words that it has. */
  #prior(position: number, { said, spaces, space, action, about, things, isSpoken }: Context): number {
    const { name, action: own, required, thing } = this.#documents[position]!;
    let unsaid = 0;
    for (let at = spaces.isName(name[0] ?? '', position) ? 1 : 0; at < name.length; at++)
      if (!said.has(name[at]!) && actionOf(name[at]!) === undefined) unsaid++;
    let prior =
      1 /
      (1 + (isSpoken ? WEIGHTS.spokenExtraName : WEIGHTS.extraName) * (unsaid / Math.max(1, name.length)));
    prior /= 1 + (isSpoken ? WEIGHTS.spokenRequired : WEIGHTS.required) * required;
    if (isSpoken) prior /= 1 + WEIGHTS.spokenLong * Math.max(0, name.length - 4);
    if (space !== undefined && spaces.of(position) !== space) prior *= WEIGHTS.otherSpace;
    if (action !== undefined && own !== undefined && own !== action)
      prior *= isSpoken ? WEIGHTS.spokenOtherAction : WEIGHTS.otherAction;
    if (thing !== undefined && (thing === about || things.has(thing))) prior *= 1 + WEIGHTS.thing;
    else if (thing !== undefined && said.has(thing) && about !== undefined && name.includes(about))
      prior *= WEIGHTS.otherThing;
    return prior;
  }

  #documentOf(tool: T): ToolDocument {
    return getOrMake(this.#known, tool, () => documentOf(tool));
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
