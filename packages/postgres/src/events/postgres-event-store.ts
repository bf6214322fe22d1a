import type { EventStore, StoredEvent } from '@toolwright/core/ports';
import { type EventRoute, keepNewest, OrderedEvents, type OutgoingEvent } from '@toolwright/json';
import { PostgresError } from '../errors.js';
import { type Statements, digest, isDone, isKept, lifetime, until } from '../schema/sql.js';

interface EventSettings {
  readonly schema: string;
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly eventTtl: number;
  readonly route: Pick<EventRoute, 'clock' | 'isUp'>;
}

/** The streams whose last event is remembered. The one that was silent for longest is forgotten first. */
const MOST_STREAMS = 10_000;

/**
 * Keeps events as rows, which any process can replay. The rows of a session have places, one after the other, and each has
 * the bytes of all events up to it. So an append finds what is too much without reading the texts.
 */
export class PostgresEventStore extends OrderedEvents implements EventStore {
  readonly #append: string;
  readonly #after: string;
  readonly #drop: string;
  /**
   * The last event of each stream of this process. The next one says which it follows, so that a client that has it misses
   * nothing, even if it is kept no longer.
   */
  readonly #last = new Map<string, string>();

  constructor(
    private readonly database: Statements,
    private readonly settings: EventSettings,
  ) {
    const { schema, route } = settings;
    super({
      name: 'Postgres',
      // The connections of the pool are for the calls, too.
      atOnce: 2,
      inOrder: false,
      away: (message) => new PostgresError('TW_POSTGRES_UNAVAILABLE', message),
      get clock() {
        return route.clock;
      },
      get isUp() {
        return route.isUp;
      },
    });
    const table = `"${schema}".stream_events`;
    const itself = `SELECT FROM ${table} WHERE session = $1 AND stream = $2 AND id = $3`;
    // Of two processes that append at the same time, one finds its place taken, and tries again.
    this.#append = `WITH newest AS (
        SELECT place, bytes FROM ${table} WHERE session = $1 ORDER BY place DESC LIMIT 1
      ), added AS (
        INSERT INTO ${table} (session, place, stream, id, follows, text, last, bytes, expires_at)
        SELECT $1::text, coalesce((SELECT place FROM newest), 0) + 1, $2::text, $3::text, $4::text, $5::text, $6::boolean,
          coalesce((SELECT bytes FROM newest), 0) + octet_length($5::text), ${until('$7')}
        WHERE NOT EXISTS (${itself})
        ON CONFLICT DO NOTHING RETURNING place, bytes
      ), removed AS (
        DELETE FROM ${table} AS old USING added WHERE old.session = $1 AND (
          $8::boolean OR old.place <= added.place - $9::bigint
          OR added.bytes - octet_length($5::text) - old.bytes + octet_length(old.text) > $10::bigint)
      )
      SELECT EXISTS (SELECT FROM added) OR EXISTS (${itself}) AS done`;
    this.#after = `SELECT id, text, last FROM ${table}
      WHERE session = $1 AND stream = $2 AND ${isKept()} AND place >= (
        SELECT min(CASE WHEN id = $3 THEN place + 1 ELSE place END) FROM ${table}
        WHERE session = $1 AND stream = $2 AND (id = $3 OR follows = $3) AND ${isKept()})
      ORDER BY place`;
    this.#drop = `DELETE FROM ${table} WHERE session = $1`;
  }

  async after(session: string, stream: string, lastEventId: string): Promise<readonly StoredEvent[]> {
    const rows = await this.database.query(this.#after, [digest(session), stream, lastEventId]);
    return rows.map(({ id, text, last }) => ({
      id: id as string,
      text: text as string,
      ...(last === true && { last: true }),
    }));
  }

  protected forget(session: string): Promise<unknown> {
    return this.database.query(this.#drop, [digest(session)]);
  }

  protected async store({ session, stream, id, text, last, replacesAll }: OutgoingEvent): Promise<void> {
    const { maxEvents, maxEventBytes, eventTtl } = this.settings;
    const name = nameOf(session, stream);
    if (replacesAll) this.#forgetLast(session);
    const follows = this.#last.get(name) ?? null;
    const kept = [lifetime(eventTtl), replacesAll, maxEvents, maxEventBytes];
    const values = [digest(session), stream, id, follows, text, last === true, ...kept];
    while (!isDone(await this.database.query(this.#append, values)));
    if (last) this.#last.delete(name);
    else keepNewest(this.#last, name, id, MOST_STREAMS);
  }

  /** An event was lost: what comes next follows nothing that a client may have. */
  #forgetLast(session: string): void {
    for (const name of this.#last.keys()) if (name.startsWith(nameOf(session, ''))) this.#last.delete(name);
  }
}

function nameOf(session: string, stream: string): string {
  return `${session} ${stream}`;
}
