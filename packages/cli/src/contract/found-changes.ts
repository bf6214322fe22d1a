import type { ContractChange } from './change.js';

/**
 * The changes at one place. A change in a definition is reported once, with the first path that leads to it.
 * If types share types, there can be millions of paths.
 */
export class FoundChanges {
  private readonly own: (ContractChange | { path: string; found: FoundChanges })[] = [];

  add(change: ContractChange): void {
    this.own.push(change);
  }

  addAt(path: string, found: FoundChanges): void {
    this.own.push({ path, found });
  }

  /** In the order in which they were found. */
  all(): ContractChange[] {
    const changes: ContractChange[] = [];
    this.collect('', changes, new Set());
    return changes;
  }

  private collect(prefix: string, changes: ContractChange[], seen: Set<FoundChanges>): void {
    if (seen.has(this)) return;
    seen.add(this);
    for (const each of this.own) {
      if ('found' in each) each.found.collect(`${prefix}${each.path}`, changes, seen);
      else changes.push({ ...each, path: `${prefix}${each.path}` });
    }
  }
}
