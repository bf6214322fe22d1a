import type { AuditEvent } from '@toolwright/core';
import { toJson } from './to-json.js';

type Description = Pick<AuditEvent, 'operation' | 'name' | 'contract' | 'annotations'>;

/** Descriptions that are kept: more than servers have tools, and a bound where these come and go. */
const MAX_KEPT = 10_000;

/** What records say of the operation that was called. Written once, since it is the same for all calls of it. */
export class DescribedOperations {
  private readonly kept = new Map<string, { of: Description; text: string }>();

  /** Members of a record, without braces. */
  describe(event: Description): string {
    const kept = this.kept.get(event.name);
    if (kept && isSame(kept.of, event)) return kept.text;
    const { operation, name, contract, annotations } = event;
    const of = { operation, name, contract, annotations };
    // Annotations that are no JSON (a bigint among them) must not keep the record from being written.
    const text = (toJson(of) ?? JSON.stringify({ ...of, annotations: {} })).slice(1, -1);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(name, { of, text });
    return text;
  }
}

function isSame(one: Description, other: Description): boolean {
  return (
    one.annotations === other.annotations &&
    one.contract === other.contract &&
    one.operation === other.operation
  );
}
