import type { AuditEvent, AuditMode, AuditSink } from '@toolwright/ground/ports/audit-sink';

/** Keeps audit records in memory. A test can make it fail. */
export class RecordingSink implements AuditSink {
  readonly records: { event: AuditEvent; mode: AuditMode }[] = [];
  /** Called with every record before it is stored. If it throws, the sink throws the same. */
  before: (event: AuditEvent) => void = () => undefined;

  get events(): string[] {
    return this.records.map(({ event }) => (event.outcome ? `${event.event} ${event.outcome}` : event.event));
  }

  write(event: AuditEvent, mode: AuditMode): void | Promise<void> {
    if (mode === 'buffered') return this.#keep(event, mode);
    return new Promise((resolve) => resolve(this.#keep(event, mode)));
  }

  async flush(): Promise<void> {}
  async close(): Promise<void> {}

  #keep(event: AuditEvent, mode: AuditMode): void {
    this.before(event);
    this.records.push({ event, mode });
  }
}

/** A sink that tells every record to a function. */
export const auditTo = (write: (event: AuditEvent) => void | Promise<void>): AuditSink => ({
  write,
  flush: async () => {},
  close: async () => {},
});
