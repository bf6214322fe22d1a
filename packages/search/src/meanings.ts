import type { ExtensionHost } from '@toolwright/core/extend';
import type { ToolSearchOptions } from './search-options.js';
import { type SearchedTool, categoryOf } from './tool-document.js';

type Embed = NonNullable<ToolSearchOptions['embed']>;
type Vector = readonly number[];

/** How many texts a model gets at a time. */
const BATCH = 128;
/** A lower number trusts the first places of the two rankings more (reciprocal rank fusion). */
const FUSION = 10;
/** How many places of each ranking are looked at. */
const PLACES = 50;

/** Ranks tools by vectors of an application's model. Each tool is embedded once. */
export class Meanings<T extends SearchedTool> {
  readonly #vectors = new WeakMap<T, Vector>();
  #isWarned = false;

  constructor(
    private readonly embed: Embed,
    private readonly logger: ExtensionHost['logger'],
  ) {}

  /**
   * Puts a ranking by words and one by meaning together.
   *
   * @param byWords best first
   * @returns `byWords`, if the model fails
   */
  async improve(query: string, byWords: readonly T[], among: readonly T[]): Promise<readonly T[]> {
    let byMeaning: T[];
    try {
      byMeaning = await this.#rank(query, among);
    } catch (error) {
      if (!this.#isWarned) this.logger.warn({ err: error }, 'toolSearch.embed fails: words alone decide');
      this.#isWarned = true;
      return byWords;
    }
    this.#isWarned = false;
    const scores = new Map<T, number>();
    for (const ranking of [byWords, byMeaning])
      ranking.slice(0, PLACES).forEach((tool, place) => {
        scores.set(tool, (scores.get(tool) ?? 0) + 1 / (FUSION + place));
      });
    return [...scores].sort(([, one], [, other]) => other - one).map(([tool]) => tool);
  }

  async #rank(query: string, among: readonly T[]): Promise<T[]> {
    const missing = among.filter((tool) => !this.#vectors.has(tool));
    for (let start = 0; start < missing.length; start += BATCH) {
      const batch = missing.slice(start, start + BATCH);
      const vectors = await this.embed(batch.map(textOf));
      batch.forEach((tool, index) => this.#vectors.set(tool, unit(vectors[index])));
    }
    const [wanted] = await this.embed([query]);
    const target = unit(wanted);
    const near = new Map(among.map((tool) => [tool, product(target, this.#vectors.get(tool)!)]));
    return [...among].sort((one, other) => near.get(other)! - near.get(one)!);
  }
}

function textOf(tool: SearchedTool): string {
  const { name, description = '', extra } = tool;
  const parts = [
    name.replaceAll(/[_.-]/g, ' '),
    categoryOf(tool),
    description,
    extra?.searchTerms?.join(', '),
  ];
  return parts.filter(Boolean).join('. ');
}

function unit(vector: Vector | undefined): Vector {
  if (!vector || vector.length === 0) throw new TypeError('embed must return a vector for each text.');
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function product(one: Vector, other: Vector): number {
  if (one.length !== other.length) throw new TypeError('embed must return vectors of one length.');
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
