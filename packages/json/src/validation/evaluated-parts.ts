/**
 * The parts of one value that schemas describe, and that the value has passed. `unevaluatedProperties` and
 * `unevaluatedItems` ask for the others.
 */
export class EvaluatedParts {
  readonly #names = new Set<string>();
  readonly #indexes = new Set<number>();
  #allNames = false;
  /** All items before this one. */
  #first = 0;

  addName(name: string): void {
    this.#names.add(name);
  }

  addAllNames(): void {
    this.#allNames = true;
  }

  addItem(index: number): void {
    this.#indexes.add(index);
  }

  /** @param count the number of items at the beginning of the list */
  addFirstItems(count: number): void {
    this.#first = Math.max(this.#first, count);
  }

  addAllItems(): void {
    this.#first = Infinity;
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name);
  }

  hasItem(index: number): boolean {
    return index < this.#first || this.#indexes.has(index);
  }

  add(others: EvaluatedParts): void {
    for (const name of others.#names) this.#names.add(name);
    for (const index of others.#indexes) this.#indexes.add(index);
    this.#allNames ||= others.#allNames;
    this.addFirstItems(others.#first);
  }
}
