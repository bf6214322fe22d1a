import type { Kind } from '../../../src/api/surface-api.js';

/** What the person has last filled in, by operation, as long as the page lives. */
const drafts = new Map<string, Record<string, unknown>>();

export function draftOf(kind: Kind, key: string): Record<string, unknown> {
  return drafts.get(`${kind} ${key}`) ?? {};
}

export function setDraft(kind: Kind, key: string, args: Record<string, unknown>): void {
  drafts.set(`${kind} ${key}`, args);
}
