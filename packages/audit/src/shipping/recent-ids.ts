/** Repeats come right after a failure or a restart; what is further back than this is not sent again. */
const REMEMBERED = 100_000;

/** The ids a sink took last, to drop what it is sent twice. */
export class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size <= REMEMBERED) return;
    // Sets keep the order of insertion: the first is the oldest.
    const [oldest] = this.ids;
    this.ids.delete(oldest!);
  }
}
