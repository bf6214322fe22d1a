import type { AuditEvent } from '@toolwright/core';
import type { Line } from '../chain/batch.js';

/** A record that waits for its group commit. Bytes already, since what the event refers to may change in the meantime. */
export interface PendingRecord {
  readonly event: AuditEvent['event'];
  /** The line after its `seq`, which only the commit can tell; newline included. */
  readonly line: Line;
  /** Answers the caller, in strict mode, once. Gone afterwards: the record is then kept like a buffered one. */
  settle?: (error?: Error) => void;
}
