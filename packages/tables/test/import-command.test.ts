import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { connect } from '@toolwright/testing';
import { describePostgres } from '../../postgres/test/support/describe-postgres';
import { commands } from '../src/commands';
import { TablesProject } from './support/compile-tables';
import { SHOP } from './support/shop.sql';

const [command] = commands;

describePostgres('the import of a database', (postgres) => {
  let project: TablesProject;
  let lines: string[];
  beforeAll(async () => {
    await postgres.sql(
      `${SHOP} CREATE ROLE loader LOGIN PASSWORD 'canary-p@ss'; GRANT pg_read_all_data TO loader;`,
    );
  });
  beforeEach(() => {
    project = new TablesProject();
    lines = [];
  });
  afterEach(() => project.remove());

  const secretUrl = () => postgres.server.url.replace('tester', 'loader:canary-p%40ss');
  const run = (
    values: Record<string, unknown> = {},
    url: string | undefined = postgres.server.url,
    more = {},
  ) =>
    command!.run(
      url,
      { out: 'src/shop', ...values },
      { cwd: project.folder, out: (line) => lines.push(line), err: (line) => lines.push(line), ...more },
    );
  const path = (name: string) => join(project.folder, 'src/shop', name);
  const read = (name: string) => readFileSync(path(name), 'utf8');

  test('what is written compiles, is built without a problem, and serves the rows', async () => {
    expect(await run({ write: 'products,orders', exclude: ['log'] })).toBe(0);
    expect(lines[0]).toMatch(/^9 of 10 tables and views become 20 tools: about [\d,]+ tokens\.$/);
    expect(readdirSync(path('.')).sort()).toEqual([
      '.tables',
      'active-customer-tools.ts',
      'customer-tools.ts',
      'database.ts',
      'delivery-tools.ts',
      'index.ts',
      'measure-tools.ts',
      'order-detail-tools.ts',
      'order-line-tools.ts',
      'order-tools.ts',
      'product-tools.ts',
      'total-tools.ts',
    ]);
    expect(project.compile()).toBe('');
    const manifest = await project.build();
    process.env.DATABASE_URL = postgres.server.url;
    const { services, providers } = (await import(join(project.folder, 'dist/src/shop/index.js'))) as any;
    const server = await createMcpServer({
      ...{ name: 'shop', version: '1.0.0', manifest, services, providers },
      ...{ audit: false, logger: silentLogger },
    });
    const client = await connect(server);
    try {
      const call = async (name: string, args: object) => (await client.call(name, args as never)) as any;
      const added = await call('insert_product', { sku: 'ab', name: 'A', price: 1.5 });
      expect(added.structuredContent).toEqual({ sku: 'ab', name: 'A', price: '1.50', rank: 3 });
      const query = { where: [{ column: 'price', is: 'at_least', value: '1.5' }], orderBy: 'rank' };
      expect((await call('list_products', query)).structuredContent).toEqual({
        rows: [added.structuredContent],
      });
      const refused = await call('list_products', { orderBy: 'price; DROP TABLE products' });
      expect(refused.isError).toBe(true);
      expect((await call('get_product', { sku: 'none' })).content[0].text).toBe(
        'products has no row with sku none.',
      );
    } finally {
      await client.close();
      await server.close();
      delete process.env.DATABASE_URL;
    }
  });

  test('the password is in no file and in no line', async () => {
    expect(await run({}, secretUrl())).toBe(0);
    expect(await run({ check: true }, secretUrl())).toBe(0);
    const written = readdirSync(path('.'), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(written.length).toBeGreaterThan(20);
    for (const away of [
      secretUrl().replace(/:\d+\//, ':1/'),
      secretUrl().replace('postgres://', 'http://'),
      secretUrl().replace('%40', '#'),
      secretUrl().replace(/\/postgres$/, '/none'),
      secretUrl().replace('loader', 'nobody'),
    ])
      expect(await run({}, away)).toBe(1);
    for (const text of [...written, ...lines]) expect(text).not.toMatch(/canary|p@ss|p%40ss/);
  });

  test('an import again takes what is new, and keeps what a person wrote', async () => {
    await postgres.sql(
      'CREATE SCHEMA again; CREATE TABLE again.pets (id integer PRIMARY KEY, name text NOT NULL)',
    );
    const again = { schema: ['again'] };
    expect(await run(again)).toBe(0);
    writeFileSync(path('pet-tools.ts'), read('pet-tools.ts').replace("'list_pets'", "'find_pets'"));
    await postgres.sql(`ALTER TABLE again.pets ADD COLUMN born date; COMMENT ON TABLE again.pets IS 'Animals.';
      CREATE TABLE again.owners (id integer PRIMARY KEY)`);
    expect(await run({ check: true })).toBe(1);
    expect(lines.at(-1)).toBe('An import would change owner-tools.ts, pet-tools.ts, index.ts.');
    const changes = jest.fn((_before: readonly object[], _after: readonly object[]) => ['a change']);
    // The choices of the last import count again.
    expect(await run({}, undefined, { changes })).toBe(0);
    expect(lines).toContain('a change');
    expect(changes.mock.calls[0]!.map(({ length }) => length)).toEqual([2, 4]);
    const pets = read('pet-tools.ts');
    expect(pets).toContain("name: 'find_pets'");
    expect(pets).toContain('  born: string | null;');
    expect(pets).toContain('List rows of again.pets, in pages. Animals.');
    expect(await run({ check: true })).toBe(0);
    rmSync(path('owner-tools.ts'));
    await postgres.sql('DROP TABLE again.owners');
    expect(await run()).toBe(0);
    expect(existsSync(path('owner-tools.ts'))).toBe(false);
    expect(read('index.ts')).not.toContain('OwnerTools');
  });

  test('a service whose file was deleted stays away, also from the index', async () => {
    expect(await run({ include: ['products', 'orders'] })).toBe(0);
    rmSync(path('order-tools.ts'));
    expect(await run()).toBe(0);
    expect(existsSync(path('order-tools.ts'))).toBe(false);
    expect(read('index.ts')).toContain('ProductTools');
    expect(read('index.ts')).not.toContain('OrderTools');
    expect(await run({ check: true })).toBe(0);
  });

  test('a folder with other files, and choices that name nothing, are left alone', async () => {
    expect(await run({ include: ['custmers'] })).toBe(1);
    expect(lines).toEqual(['--include custmers names no table of public.']);
    expect(existsSync(path('.'))).toBe(false);
    expect(await run({ out: '' })).toBe(1);
    expect(await run({ prefix: '1' })).toBe(1);
    expect(await run({ out: 'package.json' })).toBe(1);
    writeFileSync(join(project.folder, 'tsconfig.json'), '{}');
    expect(await run({ out: '.' })).toBe(2);
  });
});

test('without an address nothing is read', async () => {
  const lines: string[] = [];
  const console = {
    cwd: __dirname,
    out: (line: string) => lines.push(line),
    err: (line: string) => lines.push(line),
  };
  const { DATABASE_URL } = process.env;
  delete process.env.DATABASE_URL;
  expect(await command!.run(undefined, { out: 'shop' }, console)).toBe(1);
  if (DATABASE_URL !== undefined) process.env.DATABASE_URL = DATABASE_URL;
  expect(lines).toEqual(['Name the database: its URL as the argument, or in DATABASE_URL.']);
});
