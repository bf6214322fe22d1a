import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { findPostgres, PostgresServer } from '../../../packages/postgres/test/support/postgres-server.js';
import { referees } from './referees.js';
import { builtFile, StartedApp } from './started-app.js';

const connect = referees[0]!.connect;
const main = builtFile('pages', 'main.js');

async function titles(app: StartedApp, query: string): Promise<string[]> {
  const client = await connect({ url: app.url });
  const { structuredContent } = await client.callTool('search_pages', { query });
  await client.close();
  return (structuredContent as { results: { title: string }[] }).results.map(({ title }) => title);
}

describe('the life of the pages app', () => {
  const folder = temporaryFolder();
  const notes = join(folder, 'notes');
  /** A data folder that was started once and stopped, to be copied: a fresh one takes seconds. */
  const filled = join(folder, 'filled');
  let first: { stdout: string[]; stderr: string[]; exit: unknown };
  let copies = 0;
  let running: StartedApp[] = [];

  const start = async (environment: Record<string, string>) => {
    const app = await StartedApp.start(main, { PAGES_IMPORT: notes, ...environment });
    running.push(app);
    return app;
  };
  const copyOfFilled = () => {
    const copy = join(folder, `copy-${(copies += 1)}`);
    cpSync(filled, copy, { recursive: true });
    return copy;
  };

  beforeAll(async () => {
    mkdirSync(join(notes, 'deep'), { recursive: true });
    writeFileSync(join(notes, 'bread.md'), '# Bread\n\nFlour and water.');
    writeFileSync(join(notes, 'deep', 'wine.md'), '# Wine\n\nGrapes and time.');
    const app = await start({ PAGES_DATA: filled });
    first = { stdout: app.stdout, stderr: app.stderr, exit: await app.stop() };
  });

  afterEach(async () => {
    await Promise.all(running.map((app) => app.stop('SIGKILL')));
    running = [];
  });

  it('starts with one line on stdout and progress on stderr', () => {
    expect(first.stdout).toEqual([
      expect.stringMatching(/^pages listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    ]);
    expect(first.stderr.join('\n')).toContain('importing pages 2/2');
  });

  it('ends with code 0 on SIGTERM and leaves the data folder free', () => {
    expect(first.exit).toBe(0);
    expect(existsSync(join(filled, 'lock'))).toBe(false);
  });

  it('keeps its pages over a restart, and when it is killed, and lets nobody else open them', async () => {
    const data = copyOfFilled();
    const begin = () => start({ PAGES_DATA: data, PAGES_IMPORT: join(folder, 'gone') });
    const write = async ({ url }: StartedApp, title: string) => {
      const client = await connect({ url });
      await client.callTool('create_page', { title, content: 'Milk and patience.' });
      await client.close();
    };
    const first = await begin();
    await write(first, 'Cheese');
    await first.stop();

    const second = await begin();
    expect(await titles(second, 'cheese')).toEqual(['Cheese']);
    expect(await titles(second, 'bread')).toEqual(['Bread']);
    expect(second.stderr.join('\n')).not.toContain('importing');
    await write(second, 'Butter');
    await second.stop('SIGKILL');

    const third = await begin();
    expect(await titles(third, 'milk')).toEqual(expect.arrayContaining(['Butter', 'Cheese']));

    await expect(begin()).rejects.toThrow(
      `ended with 1:\npages cannot start. The data folder ${data} is in use by process ${third.process.pid}.`,
    );
    expect(await titles(third, 'bread')).toEqual(['Bread']);
  });

  it('starts empty when PAGES_IMPORT is empty', async () => {
    const data = join(folder, 'empty');
    const app = await start({ PAGES_DATA: data, PAGES_IMPORT: '' });

    expect(await titles(app, 'bread')).toEqual([]);
  });

  it('refuses a damaged data folder', async () => {
    const data = copyOfFilled();
    for (const file of readdirSync(join(data, 'postgres', 'global'))) {
      writeFileSync(join(data, 'postgres', 'global', file), 'damaged');
    }

    await expect(start({ PAGES_DATA: data })).rejects.toThrow(
      `The data folder ${data} cannot be opened as a database`,
    );
  });

  it('refuses to import from a folder that does not exist', async () => {
    const gone = join(folder, 'gone');

    await expect(start({ PAGES_DATA: join(folder, 'new'), PAGES_IMPORT: gone })).rejects.toThrow(
      `pages cannot start. PAGES_IMPORT: there is no folder ${gone}.`,
    );
  });

  it('refuses a port that is none', async () => {
    await expect(start({ PORT: 'http' })).rejects.toThrow(
      'pages cannot start. PORT: expected a number from 0 to 65535, received "http".',
    );
  });

  it('refuses a port that is taken, and leaves the data folder free', async () => {
    const data = copyOfFilled();
    const taken = await listen();
    const { port } = taken.address() as { port: number };

    await expect(start({ PAGES_DATA: data, PORT: String(port) })).rejects.toThrow(
      `pages cannot start. PORT: another program listens on port ${port}.`,
    );

    expect(existsSync(join(data, 'lock'))).toBe(false);
    await new Promise((resolve) => taken.close(resolve));
  });

  const programs = findPostgres();
  const title = 'keeps its pages in the Postgres server that DATABASE_URL names';
  if (programs === undefined && process.env.REQUIRE_ALL !== '1') {
    it(`${title} (not tried: no Postgres server is installed here; Debian: apt-get install postgresql)`, () => {
      expect(findPostgres()).toBeUndefined();
    });
  } else {
    it(title, async () => {
      if (programs === undefined) throw new Error('REQUIRE_ALL=1, and no Postgres server is installed.');
      const postgres = await PostgresServer.start(programs);
      try {
        const environment = { DATABASE_URL: postgres.url, PAGES_DATA: join(folder, 'unused') };
        const before = await start(environment);
        expect(await titles(before, 'grape')).toEqual(['Wine']);
        expect(await before.stop()).toBe(0);

        const [one, two] = await Promise.all([start(environment), start(environment)]);

        expect(await titles(one, 'grape')).toEqual(['Wine']);
        expect(await titles(two, 'grape')).toEqual(['Wine']);
        expect(existsSync(join(folder, 'unused', 'postgres'))).toBe(false);
      } finally {
        await Promise.all(running.map((app) => app.stop()));
        await postgres.stop();
      }
    });
  }
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}
