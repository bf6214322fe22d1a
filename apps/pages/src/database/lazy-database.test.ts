import type { Database } from './database.js';
import { LazyDatabase } from './lazy-database.js';

/** A database that remembers what was asked of it. */
class RecordingDatabase implements Database {
  readonly asked: string[] = [];

  async query<Row>(sql: string): Promise<Row[]> {
    this.asked.push(sql);
    return [];
  }

  transaction<Result>(work: (queries: Database) => Promise<Result>): Promise<Result> {
    return work(this);
  }

  async close(): Promise<void> {
    this.asked.push('close');
  }
}

describe('a lazy database', () => {
  it('opens once, at the first use', async () => {
    const real = new RecordingDatabase();
    let opened = 0;
    const lazy = new LazyDatabase(async () => {
      opened += 1;
      return real;
    });
    expect(opened).toBe(0);

    await Promise.all([lazy.query('one'), lazy.transaction((queries) => queries.query('two'))]);
    await lazy.close();

    expect(opened).toBe(1);
    expect(real.asked.sort()).toEqual(['close', 'one', 'two']);
  });

  it('tries again after a failure', async () => {
    const answers = [Promise.reject(new Error('down')), Promise.resolve(new RecordingDatabase())];
    const lazy = new LazyDatabase(() => answers.shift()!);

    await expect(lazy.query('one')).rejects.toThrow('down');
    await expect(lazy.query('two')).resolves.toEqual([]);
  });

  it('closes without having been opened', async () => {
    const lazy = new LazyDatabase(() => Promise.reject(new Error('must not be opened')));

    await expect(lazy.close()).resolves.toBeUndefined();
  });
});
