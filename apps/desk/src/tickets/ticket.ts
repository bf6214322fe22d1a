export type TicketStatus = 'open' | 'closed';

/** A ticket in a list. */
export interface TicketSummary {
  /** Such as ACME-7. */
  id: string;
  subject: string;
  /** Email address. */
  customer: string;
  status: TicketStatus;
  /** Who works on it; null while nobody does. */
  assignee: string | null;
  updatedAt: Date;
  /** Where a client can read it, and subscribe to it. */
  uri: string;
}

export interface Reply {
  author: string;
  text: string;
  at: Date;
}

/** A whole ticket. */
export interface Ticket extends TicketSummary {
  body: string;
  /** How it ended; null while it is open. */
  resolution: string | null;
  createdAt: Date;
  /** Oldest first. */
  replies: Reply[];
}

export interface NewTicket {
  subject: string;
  body: string;
  customer: string;
}

/** The id of a ticket names its tenant, so that nobody has to ask the database whose it is. */
export const ticketId = (tenant: string, number: number) => `${tenant.toUpperCase()}-${number}`;

export const ticketUri = (id: string) => `ticket://${id}`;

/** The tenant and the number in an id; `undefined` for a text that is no id. */
export function readTicketId(id: string): { tenant: string; number: number } | undefined {
  const [, tenant, number] = /^([A-Z]+)-(\d{1,9})$/.exec(id) ?? [];
  return tenant === undefined ? undefined : { tenant: tenant.toLowerCase(), number: Number(number) };
}
