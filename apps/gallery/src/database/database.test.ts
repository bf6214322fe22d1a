import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ListedTool, type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { dataFolder } from '../data-folder.js';
import { type Database, openDatabase } from './database.js';
import { DATABASE, ImportTools } from './import-tools.js';
import { TableTools } from './table-tools.js';

describe('a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-database-'));
  const warnings: unknown[] = [];
  let database: Database;
  let topic: ServedTopic;

  beforeAll(async () => {
    writeFileSync(join(folder, 'birds.csv'), 'name,weight\nwren,9\nowl,\n"tit, great",18.5\n');
    writeFileSync(join(folder, 'twice.csv'), 'a,a\n1,2\n');
    database = await openDatabase();
    await database.query(
      `CREATE TABLE pets (id integer, "the ""name""; DROP TABLE pets" text, born date, price numeric, fees bigint,
        tame boolean, notes jsonb)`,
    );
    await database.query(
      `INSERT INTO pets VALUES
        (1, 'Rex', '2020-05-01', 12.50, 9007199254740993, true, '{"a": 1}'),
        (2, 'Mia''); --', '2021-06-02', 7, 1, false, NULL), (3, NULL, NULL, NULL, NULL, NULL, NULL)`,
    );
    await database.query('CREATE TABLE many AS SELECT n FROM generate_series(1, 250) AS n');
    topic = await ServedTopic.serve({
      services: [ImportTools],
      providers: [dataFolder(folder), { provide: DATABASE, useFactory: () => database }],
    });
    await new TableTools(topic.server, database, { warn: (fields) => void warnings.push(fields) }).start();
  });

  afterAll(async () => {
    await topic.close();
    rmSync(folder, { recursive: true });
  });

  describe.each(referees)('explored by $name', (referee) => {
    let client: RefereeClient;
    let hearChange = () => {};

    beforeAll(async () => {
      client = await topic.connect(referee, { onToolsChanged: () => hearChange() });
    });

    const change = () => new Promise<void>((resolve) => (hearChange = resolve));
    const names = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
    const query = async (table: string, args: Record<string, unknown> = {}) =>
      (await client.callTool(`query_${table}`, args)).structuredContent as {
        rows: Record<string, unknown>[];
        more: boolean;
      };

    it('has a tool for each table, which names its columns', async () => {
      const { tools } = await client.listTools();
      const { description, inputSchema, annotations } = tools.find(
        ({ name }) => name === 'query_pets',
      ) as ListedTool;

      expect(tools.map(({ name }) => name).sort()).toEqual(['import_csv', 'query_many', 'query_pets']);
      expect(description).toContain('Columns: id (integer)');
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema.properties?.orderBy?.enum).toEqual([
        'id',
        'the "name"; DROP TABLE pets',
        'born',
        'price',
        'fees',
        'tame',
        'notes',
      ]);
    });

    it('gives rows with all their digits', async () => {
      expect(await query('pets', { limit: 1, orderBy: 'id' })).toEqual({
        rows: [
          {
            id: 1,
            'the "name"; DROP TABLE pets': 'Rex',
            born: '2020-05-01',
            price: '12.50',
            fees: '9007199254740993',
            tame: true,
            notes: '{"a": 1}',
          },
        ],
        more: true,
      });
    });

    it.each([
      [{ column: 'id', operator: 'greater', value: 1 }, [2, 3]],
      [{ column: 'id', operator: 'not', value: 2 }, [1, 3]],
      [{ column: 'id', operator: 'less', value: 1.5 }, [1]],
      [{ column: 'the "name"; DROP TABLE pets', operator: 'equals', value: "Mia'); --" }, [2]],
      [{ column: 'the "name"; DROP TABLE pets', operator: 'contains', value: 'EX' }, [1]],
      [{ column: 'the "name"; DROP TABLE pets', operator: 'contains', value: '%' }, []],
      [{ column: 'born', operator: 'greater', value: '2020-12-31' }, [2]],
      [{ column: 'price', operator: 'equals', value: '12.5' }, [1]],
      [{ column: 'fees', operator: 'equals', value: '9007199254740993' }, [1]],
      [{ column: 'tame', operator: 'equals', value: false }, [2]],
    ])('finds the rows where %j holds', async (condition, ids) => {
      const { rows } = await query('pets', { where: [condition], columns: ['id'], orderBy: 'id' });

      expect(rows.map(({ id }) => id)).toEqual(ids);
    });

    it('gives no more rows than the limit, and says that there are more', async () => {
      const most = await query('many', { limit: 100, orderBy: 'n', descending: true });

      expect(most.more).toBe(true);
      expect(most.rows).toHaveLength(100);
      expect(most.rows[0]).toEqual({ n: 250 });
      expect((await query('many')).rows).toHaveLength(20);
    });

    it.each([
      [{ limit: 101 }, /limit.*100/s],
      [{ columns: ['id; DROP TABLE pets'] }, /"id"/],
      [{ orderBy: 'id DESC' }, /"id"/],
      [{ where: [{ column: 'colour', operator: 'equals', value: 1 }] }, /"id"/],
      [{ where: [{ column: 'id', operator: '= 1 OR 1', value: 1 }] }, /"equals"/],
      [{ where: [{ column: 'id', operator: 'equals', value: '1 OR 1=1' }] }, /with a number. Send one/],
      [{ where: [{ column: 'tame', operator: 'equals', value: 'yes' }] }, /with a boolean/],
      [
        { where: [{ column: 'born', operator: 'equals', value: 'soon' }] },
        /"soon".*Send a value of the column/s,
      ],
      [{ where: [{ column: 'price', operator: 'equals', value: 'much' }] }, /"much"/],
      [{ where: [{ column: 'notes', operator: 'equals', value: '{}' }] }, /cannot be compared/],
      [{ sql: 'SELECT 1' }, /sql/],
    ])('says what to send instead of %j', async (args, hint) => {
      expect(refusalOf(await client.callTool('query_pets', args))).toMatch(hint);
    });

    it('can write nothing, whatever is sent', async () => {
      await expect(database.read('DELETE FROM pets', [])).rejects.toThrow('read-only');
      expect((await query('pets')).rows).toHaveLength(3);
    });

    it('tells of a table that comes, changes and goes', async () => {
      const came = change();
      const { structuredContent } = await client.callTool('import_csv', {
        filepath: 'birds.csv',
        table: 'birds',
      });
      await came;

      expect(structuredContent).toEqual({ table: 'birds', rows: 3, columns: ['name', 'weight'] });
      expect(await names()).toContain('query_birds');
      expect((await query('birds', { orderBy: 'weight', descending: true, limit: 2 })).rows).toEqual([
        { name: 'owl', weight: null },
        { name: 'tit, great', weight: 18.5 },
      ]);

      const changed = change();
      await database.query('ALTER TABLE birds ADD COLUMN colour text');
      await changed;

      expect((await query('birds', { columns: ['colour'], limit: 1 })).rows).toEqual([{ colour: null }]);

      const gone = change();
      await database.query('DROP TABLE birds');
      await gone;

      expect(await names()).not.toContain('query_birds');
      await expect(client.callTool('query_birds', {})).rejects.toThrow(/query_birds/);
    });

    it('offers no tool for a table whose name hides something, and goes on', async () => {
      const came = change();
      await database.query('CREATE TABLE "odd\u{E0041}" (n integer)');
      await database.query('CREATE TABLE "Größe (cm)" (n integer)');
      await came;

      expect(await names()).toContain('query_Gr__e__cm_');
      expect(warnings.splice(0)).toHaveLength(1);

      const gone = change();
      await database.query('DROP TABLE "odd\u{E0041}", "Größe (cm)"');
      await gone;
    });

    it.each([
      [{ filepath: 'birds.csv', table: 'pets' }, /table of that name/],
      [{ filepath: 'birds.csv', table: 'x; DROP TABLE pets' }, /table/],
      [{ filepath: 'twice.csv', table: 'twice' }, /the same one. Send another file/],
      [{ filepath: '../birds.csv', table: 'birds' }, /list_csv_files/],
    ])('says what to import instead of %j', async (args, hint) => {
      expect(refusalOf(await client.callTool('import_csv', args))).toMatch(hint);
    });
  });
});
