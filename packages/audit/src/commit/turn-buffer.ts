/** Collects what one turn of the event loop brings, and passes all of it on at the end of that turn. */
export class TurnBuffer<T> {
  private items: T[] = [];

  constructor(private readonly use: (items: readonly T[]) => void) {}

  /** How many items wait for the end of the turn. */
  get length(): number {
    return this.items.length;
  }

  add(item: T): void {
    if (this.items.push(item) === 1) setImmediate(() => this.passOn());
  }

  /** Passes on at once what has come so far. */
  passOn(): void {
    if (this.items.length === 0) return;
    const { items } = this;
    this.items = [];
    this.use(items);
  }
}
