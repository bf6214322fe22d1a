import type { AuditEntry } from '../../../../src/api/audit-api.js';

/** What the person looks for. */
export interface Query {
  readonly name?: string;
  readonly subject?: string;
  readonly outcome?: string;
  readonly text?: string;
}

/** True for a record that the server would have found. */
export function fitsQuery(record: AuditEntry, { name, subject, outcome, text }: Query): boolean {
  if (name !== undefined && record.name !== name) return false;
  if (subject !== undefined && record.principal?.subject !== subject) return false;
  if (outcome !== undefined && record.outcome !== outcome) return false;
  return text === undefined || JSON.stringify(record).toLowerCase().includes(text.toLowerCase());
}
