/** A record is only sent again right after a failure or a restart, so older ids are not needed. */
const REMEMBERED = 100_000;

/** The last ids that a sink received. It uses them to drop duplicates. */
export class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size <= REMEMBERED) return;
    // A set keeps the order of insertion, so the first id is the oldest.
    const [oldest] = this.ids;
    this.ids.delete(oldest!);
  }
}
