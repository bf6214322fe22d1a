import SearchableMap from 'minisearch/SearchableMap';
import { actionOf } from './actions.js';
import { Synonyms, withoutPhrases } from './synonyms.js';
import { type SearchedTool, type ToolDocument, documentOf } from './tool-document.js';
import { queryTermsOf } from './words.js';

/** How much a word counts, by the part of the tool that has it. */
export const BOOSTS = {
  name: 5,
  searchTerms: 5,
  category: 2.4,
  summary: 2.5,
  description: 0.5,
  arguments: 0.4,
};

export const WEIGHTS = {
  /** How quickly further words of a tool count less. */
  saturation: 1.1,
  /** A word that is only like the one of the query. */
  typo: 0.7,
  /** What a verb counts at most: every tool has one. */
  verb: 2,
  /** A word that the query begins. */
  prefix: 0.5,
  /** How much it counts that a tool has all words of the query. */
  coverage: 0.55,
  /** How much a word of a name costs that the query does not have. */
  extraName: 0.8,
  /** What a tool with another verb gets. */
  otherAction: 0.7,
  /** What a tool outside of the API that the query names gets. */
  otherSpace: 0.4,
  /** How much arguments that a call must have cost. */
  required: 0.03,
};

/** Shorter words have too many neighbours. */
const SHORTEST_TYPO = 4;

/** A first word of this number of names is the name of an API. */
const SPACE = 8;

/** The tools that have a word, and how much it says about each of them. */
interface Postings {
  readonly documents: number[];
  readonly impacts: number[];
  rarity: number;
}

/** Finds tools by words. */
export class ToolIndex<T extends SearchedTool> {
  #tools: readonly T[] = [];
  #documents: readonly ToolDocument[] = [];
  readonly #positions = new Map<T, number>();
  #words = new SearchableMap<Postings>();
  readonly #spaces = new Map<string, number>();
  readonly #known = new WeakMap<T, ToolDocument>();

  constructor(readonly synonyms: Synonyms = new Synonyms()) {}

  /** Takes in what is new, and forgets what is gone. */
  keep(tools: readonly T[]): void {
    this.#tools = tools;
    this.#documents = tools.map((tool) => this.#documentOf(tool));
    this.#positions.clear();
    tools.forEach((tool, position) => this.#positions.set(tool, position));
    const words = new Map<string, Postings>();
    this.#documents.forEach((document, position) => addWords(words, document, position));
    this.#words = SearchableMap.from(words);
    for (const postings of words.values())
      postings.rarity = Math.log(1 + tools.length / (postings.documents.length + 0.5));
    this.#spaces.clear();
    for (const { name } of this.#documents) {
      const [first] = name;
      if (first !== undefined && actionOf(first) === undefined)
        this.#spaces.set(first, (this.#spaces.get(first) ?? 0) + 1);
    }
  }

  /**
   * @param among what may be found
   * @returns best first; equal ones in the order of the server
   */
  find(query: string, among: ReadonlySet<T>, limit: number): T[] {
    const ranked = this.rank(query, (position) => among.has(this.#tools[position]!));
    return ranked.slice(0, limit).map(({ position }) => this.#tools[position]!);
  }

  /** Names that are like a name that does not exist. */
  nearest(name: string, among: readonly T[]): string[] {
    return this.find(name, new Set(among), 2).map((tool) => tool.name);
  }

  private rank(query: string, may: (position: number) => boolean): { position: number; score: number }[] {
    const terms = [...new Set(queryTermsOf(withoutPhrases(query)))];
    const scores = new Float64Array(this.#tools.length);
    const covered = new Float64Array(this.#tools.length);
    const best = new Float64Array(this.#tools.length);
    let wanted = 0;
    const said = new Set<string>();
    for (const term of terms) {
      const meant = this.#meant(term);
      if (meant.length === 0) continue;
      const isVerb = actionOf(term) !== undefined;
      const rareness = ({ rarity: each }: Postings) => (isVerb ? Math.min(each, WEIGHTS.verb) : each);
      const touched: number[] = [];
      let rarity = 0;
      for (const { postings, weight } of meant) {
        rarity = Math.max(rarity, rareness(postings) * (weight === 1 ? 1 : 0.8));
        const { documents, impacts } = postings;
        for (let at = 0; at < documents.length; at++) {
          const position = documents[at]!;
          const value = weight * impacts[at]! * rareness(postings);
          if (value <= best[position]!) continue;
          if (best[position] === 0) touched.push(position);
          best[position] = value;
        }
      }
      for (const { word } of meant) said.add(word);
      wanted += rarity;
      for (const position of touched) {
        scores[position]! += best[position]!;
        covered[position]! += Math.min(rarity, best[position]! * 2);
        best[position] = 0;
      }
    }
    const space = terms.find((term) => (this.#spaces.get(term) ?? 0) >= SPACE);
    const action = terms.map(actionOf).find((each) => each !== undefined);
    const found: { position: number; score: number }[] = [];
    for (let position = 0; position < scores.length; position++) {
      const score = scores[position]!;
      if (score === 0 || !may(position)) continue;
      const coverage = (covered[position]! / wanted) ** WEIGHTS.coverage;
      found.push({ position, score: score * coverage * this.#prior(position, { said, space, action }) });
    }
    return found.sort((one, other) => other.score - one.score || one.position - other.position);
  }

  /** How likely a tool is meant, apart from the words that it has. */
  #prior(
    position: number,
    {
      said,
      space,
      action,
    }: { said: ReadonlySet<string>; space: string | undefined; action: string | undefined },
  ): number {
    const { name, action: own, required } = this.#documents[position]!;
    const first = name[0]!;
    const isSpace = (this.#spaces.get(first) ?? 0) >= SPACE;
    let unsaid = 0;
    for (let at = isSpace ? 1 : 0; at < name.length; at++)
      if (!said.has(name[at]!) && actionOf(name[at]!) === undefined) unsaid++;
    let prior = 1 / (1 + WEIGHTS.extraName * (unsaid / Math.max(1, name.length)));
    prior /= 1 + WEIGHTS.required * required;
    if (space !== undefined && first !== space) prior *= WEIGHTS.otherSpace;
    if (action !== undefined && own !== undefined && own !== action) prior *= WEIGHTS.otherAction;
    return prior;
  }

  /** The words of tools that a word of a query may mean. */
  #meant(term: string): { word: string; postings: Postings; weight: number }[] {
    const found: { word: string; postings: Postings; weight: number }[] = [];
    const add = (word: string, weight: number) => {
      const postings = this.#words.get(word);
      if (postings) found.push({ word, postings, weight });
    };
    add(term, 1);
    for (const [synonym, weight] of this.synonyms.of(term)) add(synonym, weight);
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

function addWords(words: Map<string, Postings>, document: ToolDocument, position: number): void {
  const sums = new Map<string, number>();
  for (const [field, boost] of Object.entries(BOOSTS)) {
    const terms = document[field as keyof typeof BOOSTS];
    const share = boost / Math.sqrt(Math.max(1, terms.length));
    for (const term of new Set(terms)) sums.set(term, (sums.get(term) ?? 0) + share);
  }
  for (const [term, sum] of sums) {
    let postings = words.get(term);
    if (!postings) words.set(term, (postings = { documents: [], impacts: [], rarity: 0 }));
    postings.documents.push(position);
    postings.impacts.push(sum / (WEIGHTS.saturation + sum));
  }
}
