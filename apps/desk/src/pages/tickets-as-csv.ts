import type { TicketSummary } from '../tickets/ticket.js';

const columns = ['id', 'subject', 'customer', 'status', 'assignee', 'updatedAt'] as const;

/** Tickets as CSV (RFC 4180). */
export function ticketsAsCsv(tickets: readonly TicketSummary[]): string {
  const lines = tickets.map((ticket) => columns.map((column) => cell(ticket[column])).join(','));
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Customers write subjects. A spreadsheet must not take one for a formula. */
function cell(value: string | Date | null): string {
  const text = value instanceof Date ? value.toISOString() : (value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
