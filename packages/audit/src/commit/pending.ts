import type { AuditEvent } from '@toolwright/core';

/** A record that waits for its group commit. What may change after `write` returned is held as text. */
export interface PendingRecord {
  readonly event: AuditEvent;
  /** JSON, or undefined when the value cannot be serialised. */
  readonly argumentsJson: string | undefined;
  readonly loggableJson: string | undefined;
  readonly resultText: string | undefined;
  /** Answers the caller, in strict mode, once. Gone afterwards: the record is then kept like a buffered one. */
  settle?: (error?: Error) => void;
}

/**
 * Freezes an event in time: a tool may change its own arguments or a cached result before the commit hashes them.
 * JSON.stringify is the cheapest deep copy there is (0.2 µs for a usual argument object); hashing waits.
 */
export function snapshot(event: AuditEvent): PendingRecord {
  const { result } = event;
  return {
    event,
    argumentsJson: toJson(event.arguments),
    loggableJson: event.loggable && toJson(event.loggable),
    // Text is a result that the pipeline has already serialised; strings cannot change under us.
    resultText: typeof result === 'string' ? result : toJson(result),
  };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
