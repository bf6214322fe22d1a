import { PGlite } from '@electric-sql/pglite';

export interface Note {
  id: number;
  text: string;
}

/** Keeps notes in an embedded Postgres. */
export class NoteStore {
  constructor(private readonly db: PGlite) {}

  /** @param folder the folder of the database; without it the database stays in memory */
  static async open(folder?: string): Promise<NoteStore> {
    const db = await PGlite.create(folder);
    await db.exec('CREATE TABLE IF NOT EXISTS notes (id serial PRIMARY KEY, text text NOT NULL)');
    return new NoteStore(db);
  }

  async find(query: string, limit: number): Promise<Note[]> {
    const { rows } = await this.db.query<Note>(
      'SELECT id, text FROM notes WHERE position(lower($1) IN lower(text)) > 0 ORDER BY id DESC LIMIT $2',
      [query, limit],
    );
    return rows;
  }

  async add(text: string): Promise<Note> {
    const { rows } = await this.db.query<Note>('INSERT INTO notes (text) VALUES ($1) RETURNING id, text', [
      text,
    ]);
    return rows[0]!;
  }

  /** The container calls this when the server closes. */
  async onDispose(): Promise<void> {
    await this.db.close();
  }
}
