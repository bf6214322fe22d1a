import { getOrMake } from '@toolwright/json';

/** Whose turn it is: who was served last is at the end. */
export class FairTurns<T> {
  readonly #served = new Set<string>();

  constructor(private readonly whoOf: (item: T) => string) {}

  /** The one that it belongs to was served. */
  end(item: T): void {
    const who = this.whoOf(item);
    this.#served.delete(who);
    this.#served.add(who);
  }

  /** One of each in turn. The items of one keep their order. */
  inTurns(items: readonly T[]): T[] {
    const lines = new Map<string, T[]>([...this.#served].map((who) => [who, []]));
    for (const item of items) getOrMake(lines, this.whoOf(item), () => []).push(item);
    for (const who of this.#served) if (lines.get(who)?.length === 0) this.#served.delete(who);
    // Who was not served before comes first.
    const all = [...lines].sort(([a], [b]) => Number(this.#served.has(a)) - Number(this.#served.has(b)));
    const longest = Math.max(0, ...all.map(([, line]) => line.length));
    return Array.from({ length: longest }, (_, at) => all.flatMap(([, line]) => line[at] ?? [])).flat();
  }
}
