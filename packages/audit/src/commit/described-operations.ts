import type { AuditEvent } from '@toolwright/core';
import { toJson } from './to-json.js';

type Description = Pick<AuditEvent, 'operation' | 'name' | 'contract' | 'annotations'>;

/**
 * How many descriptions are kept. Servers have fewer tools; the limit is for servers that add and remove
 * tools.
 */
const MAX_KEPT = 10_000;

/**
 * The part of a record that describes the called operation. It is written once, because it is the same for
 * all calls.
 */
export class DescribedOperations {
  private readonly kept = new Map<string, { of: Description; text: string }>();

  /** Members of a record, without braces. */
  describe(event: Description): string {
    const kept = this.kept.get(event.name);
    if (kept && isSame(kept.of, event)) return kept.text;
    const { operation, name, contract, annotations } = event;
    const of = { operation, name, contract, annotations };
    // Annotations that are not JSON (such as a bigint) must not prevent the record.
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
