import type { Caller } from '../tenants/caller-of.js';
import type { Database, Queries } from '../database/database.js';
import {
  type NewTicket,
  readTicketId,
  type Reply,
  type Ticket,
  ticketId,
  type TicketStatus,
  type TicketSummary,
  ticketUri,
} from './ticket.js';

interface Row {
  tenant: string;
  number: number;
  subject: string;
  body: string;
  customer: string;
  status: TicketStatus;
  assignee: string | null;
  resolution: string | null;
  created_at: Date;
  updated_at: Date;
}

/** No ticket of the caller's tenant has this id. Tickets of other tenants do not exist for the caller. */
export class TicketNotFound extends Error {
  readonly status = 404;

  constructor(readonly id: string) {
    super(`No ticket has the id "${id}".`);
  }
}

/** What a change of a ticket sets. */
type Changes = Partial<Pick<Row, 'status' | 'assignee' | 'resolution'>>;

/** The tickets of all tenants. Each method needs the caller, and touches the rows of the caller's tenant only. */
export class TicketStore {
  readonly #listeners: ((id: string) => void)[] = [];

  constructor(private readonly database: Database) {}

  /** Calls `listener` with the id of each ticket that this process has changed. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  async list({ tenant }: Caller, status: TicketStatus | undefined, limit: number): Promise<TicketSummary[]> {
    const rows = await this.database.query<Row>(
      `select * from tickets where tenant = $1 and ($2::text is null or status = $2)
       order by updated_at desc, number desc limit $3`,
      [tenant, status ?? null, limit],
    );
    return rows.map(summaryOf);
  }

  /** Tickets with this text in the subject, the body or the customer's address. */
  async search({ tenant }: Caller, text: string, limit: number): Promise<TicketSummary[]> {
    const rows = await this.database.query<Row>(
      `select * from tickets
       where tenant = $1 and position(lower($2) in lower(subject || ' ' || body || ' ' || customer)) > 0
       order by updated_at desc, number desc limit $3`,
      [tenant, text, limit],
    );
    return rows.map(summaryOf);
  }

  /** @throws {TicketNotFound} */
  async get({ tenant }: Caller, id: string): Promise<Ticket> {
    const number = numberOf(id, tenant);
    const [row] = await this.database.query<Row>(`select * from tickets where tenant = $1 and number = $2`, [
      tenant,
      number,
    ]);
    if (!row) throw new TicketNotFound(id);
    const replies = await this.database.query<Reply>(
      `select author, text, at from replies where tenant = $1 and number = $2 order by at`,
      [tenant, number],
    );
    const { body, resolution, created_at: createdAt } = row;
    return { ...summaryOf(row), body, resolution, createdAt, replies };
  }

  /** Ids that begin with these characters. */
  async idsStartingWith({ tenant }: Caller, start: string): Promise<string[]> {
    const rows = await this.database.query<Row>(`select * from tickets where tenant = $1 order by number`, [
      tenant,
    ]);
    return rows
      .map(({ number }) => ticketId(tenant, number))
      .filter((id) => id.startsWith(start.toUpperCase()));
  }

  async create({ tenant }: Caller, { subject, body, customer }: NewTicket): Promise<TicketSummary> {
    const row = await this.database.transaction(async (queries) => {
      const [counter] = await queries.query<{ next: number }>(
        `update counters set next = next + 1 where tenant = $1 returning next`,
        [tenant],
      );
      const [created] = await queries.query<Row>(
        `insert into tickets (tenant, number, subject, body, customer) values ($1, $2, $3, $4, $5) returning *`,
        [tenant, counter!.next - 1, subject, body, customer],
      );
      return created!;
    });
    return this.#changed(row);
  }

  /**
   * Adds a reply. A reply opens a closed ticket again.
   *
   * @throws {TicketNotFound} as the other changes
   */
  async reply(caller: Caller, id: string, text: string): Promise<TicketSummary> {
    return this.#change(caller, id, { status: 'open', resolution: null }, (queries, { tenant, number }) =>
      queries.query(`insert into replies (tenant, number, author, text) values ($1, $2, $3, $4)`, [
        tenant,
        number,
        caller.subject,
        text,
      ]),
    );
  }

  async assign(caller: Caller, id: string, assignee: string): Promise<TicketSummary> {
    return this.#change(caller, id, { assignee });
  }

  async close(caller: Caller, id: string, resolution: string): Promise<TicketSummary> {
    return this.#change(caller, id, { status: 'closed', resolution });
  }

  /** How many tickets were opened and closed on each of the last days, the oldest first. */
  async countByDay(
    { tenant }: Caller,
    days: number,
  ): Promise<{ day: string; opened: number; closed: number }[]> {
    return this.database.query(
      `select to_char(day, 'YYYY-MM-DD') as day,
              (select count(*)::integer from tickets
                where tenant = $1 and created_at::date = day::date) as opened,
              (select count(*)::integer from tickets
                where tenant = $1 and status = 'closed' and updated_at::date = day::date) as closed
       from generate_series(current_date - ($2::integer - 1), current_date, interval '1 day') as day
       order by 1`,
      [tenant, days],
    );
  }

  async #change(
    { tenant }: Caller,
    id: string,
    { status, assignee, resolution }: Changes,
    more: (queries: Queries, row: Row) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<TicketSummary> {
    const asked = numberOf(id, tenant);
    const row = await this.database.transaction(async (queries) => {
      const [changed] = await queries.query<Row>(
        `update tickets set status = coalesce($3, status), assignee = coalesce($4, assignee),
                resolution = case when $3 is null then resolution else $5 end, updated_at = now()
         where tenant = $1 and number = $2 returning *`,
        [tenant, asked, status ?? null, assignee ?? null, resolution ?? null],
      );
      if (!changed) throw new TicketNotFound(id);
      await more(queries, changed);
      return changed;
    });
    return this.#changed(row);
  }

  #changed(row: Row): TicketSummary {
    const summary = summaryOf(row);
    for (const listener of this.#listeners) listener(summary.id);
    return summary;
  }
}

/** @throws {TicketNotFound} for an id of another tenant, too */
function numberOf(id: string, tenant: string): number {
  const asked = readTicketId(id);
  if (asked?.tenant !== tenant) throw new TicketNotFound(id);
  return asked.number;
}

function summaryOf({ tenant, number, subject, customer, status, assignee, updated_at }: Row): TicketSummary {
  const id = ticketId(tenant, number);
  return { id, subject, customer, status, assignee, updatedAt: updated_at, uri: ticketUri(id) };
}
