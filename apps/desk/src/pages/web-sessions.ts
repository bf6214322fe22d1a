import type { RequestHandler } from 'express';
import session, { type SessionData, Store } from 'express-session';
import type { Database } from '../database/database.js';
import type { Caller } from '../tenants/caller-of.js';

declare module 'express-session' {
  interface SessionData {
    /** Who has signed in. */
    agent: Caller;
    /** What forms of this session have, so that no other site can send them. */
    formToken: string;
    /** While the person is at the issuer. */
    departure: { state: string; nonce: string; verifier: string; returnTo: string };
  }
}

const LIFE_MS = 8 * 3_600_000;

/** The sessions of the pages, with a cookie. They are in the database, so each replica knows all of them. */
export function webSessions(database: Database, secrets: string[]): RequestHandler {
  return session({
    name: 'desk',
    secret: secrets,
    store: new DatabaseSessions(database),
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax', maxAge: LIFE_MS },
  });
}

type Done<Value = void> = (error?: unknown, value?: Value) => void;

class DatabaseSessions extends Store {
  constructor(private readonly database: Database) {
    super();
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    answer(done, async () => {
      const [row] = await this.database.query<{ data: string }>(
        `select data from web_sessions where id = $1 and expires > now()`,
        [id],
      );
      return row ? (JSON.parse(row.data) as SessionData) : null;
    });
  }

  override set(id: string, data: SessionData, done: Done = () => {}): void {
    answer(done, async () => {
      await this.database.query(
        `insert into web_sessions (id, data, expires) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (id) do update set data = excluded.data, expires = excluded.expires`,
        [id, JSON.stringify(data), LIFE_MS / 1_000],
      );
      await this.database.query(`delete from web_sessions where expires <= now()`);
    });
  }

  override destroy(id: string, done: Done = () => {}): void {
    answer(done, async () => {
      await this.database.query(`delete from web_sessions where id = $1`, [id]);
    });
  }
}

function answer<Value>(done: Done<Value>, work: () => Promise<Value>): void {
  work().then(
    (value) => done(undefined, value),
    (error: unknown) => done(error),
  );
}
