import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { commands } from '@toolwright/tables/commands';
import { referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { WorkshopDatabase } from './database.js';
import { services } from './index.js';

const app = join(__dirname, '../..');
const tables = readFileSync(join(app, 'specifications/workshop.sql'), 'utf8');

it('is what its tables are today', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-workshop-'));
  try {
    const pglite = await PGlite.create(folder);
    await pglite.exec(tables);
    await pglite.close();
    const said: string[] = [];
    const terminal = {
      cwd: app,
      out: (line: string) => said.push(line),
      err: (line: string) => said.push(line),
    };
    const values = { out: 'src/workshop', check: true };

    expect({ code: await commands[0]!.run(`pglite:${folder}`, values, terminal), said }).toEqual({
      code: 0,
      said: [],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe.each(referees)('the tools of the workshop, called by $name', (referee) => {
  let pglite: PGlite;
  let topic: ServedTopic;
  let asked: string[];

  beforeAll(async () => {
    pglite = await PGlite.create();
    await pglite.exec(`${tables}
      INSERT INTO bicycles VALUES ('F1', 'Gazelle', 'Ada', 28), ('F2', 'Brompton', 'Bob', 16);
      INSERT INTO repairs (frame_number, fault, due) SELECT 'F1', 'Fault ' || n, '2020-01-01' FROM generate_series(1, 30) n;`);
    topic = await ServedTopic.serve({
      services,
      providers: [{ provide: WorkshopDatabase, useFactory: () => new WorkshopDatabase({ pglite }) }],
      audit: false,
    });
  });

  beforeEach(() => (asked = []));

  afterAll(async () => {
    await topic.close();
    await pglite.close();
  });

  const connect = (answer: 'accept' | 'decline' = 'accept') =>
    topic.connect(referee, { answer: (message) => (asked.push(message), answer) });

  it('finds a repair, and the bicycle that it is about', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const get = tools.find(({ name }) => name === 'get_repair')!;

    expect(JSON.stringify(get)).toContain('See get_bicycle');
    const where = [{ column: 'fault', is: 'equal', value: 'Fault 7' }];
    const { rows } = (await client.callTool('list_repairs', { where })).structuredContent as any;
    expect(rows).toEqual([
      {
        id: '7',
        frame_number: 'F1',
        fault: 'Fault 7',
        state: 'waiting',
        price: null,
        due: '2020-01-01',
        parts: [],
      },
    ]);
    const bicycle = await client.callTool('get_bicycle', { frame_number: rows[0].frame_number });
    expect(bicycle.structuredContent).toEqual({
      frame_number: 'F1',
      brand: 'Gazelle',
      owner: 'Ada',
      wheel_inches: '28.00',
    });
  });

  it('reads a view in pages', async () => {
    const client = await connect();
    const first = (await client.callTool('list_late_repairs', {})).structuredContent as any;
    const second = (await client.callTool('list_late_repairs', { cursor: first.next }))
      .structuredContent as any;

    expect(first.rows).toHaveLength(20);
    expect(second.rows).toHaveLength(10);
    expect(second.next).toBeUndefined();
  });

  it('adds a repair, and changes and deletes it when the user agrees', async () => {
    const client = await connect();
    const added = await client.callTool('insert_repair', {
      frame_number: 'F2',
      fault: 'Chain',
      parts: ['chain'],
    });
    const { id } = added.structuredContent as { id: string };
    expect(added.structuredContent).toMatchObject({ state: 'waiting', parts: ['chain'] });

    const changed = await client.callTool('update_repair', { id, state: 'done', price: 12.5 });
    expect(changed.structuredContent).toMatchObject({ fault: 'Chain', state: 'done', price: '12.50' });
    const unwilling = await connect('decline');
    refusalOf(await unwilling.callTool('delete_repair', { id }));
    await client.callTool('delete_repair', { id });
    expect(refusalOf(await client.callTool('get_repair', { id }))).toBe(`repairs has no row with id ${id}.`);
    expect(asked).toEqual([
      `Change repair ${id}: state = "done", price = 12.5?`,
      `Delete repair ${id}?`,
      `Delete repair ${id}?`,
    ]);
  });

  it.each([
    [{ frame_number: 'F9', fault: 'x' }, /foreign key constraint/],
    [{ frame_number: 'F1', fault: 'x', price: -1 }, /check constraint/],
    [{ frame_number: 'F1', fault: 'x'.repeat(201) }, /200/],
    [{ frame_number: 'F1', fault: 'x', state: 'gone' }, /in progress/],
  ])('says what to send instead of %j', async (repair, hint) => {
    const client = await connect();
    expect(refusalOf(await client.callTool('insert_repair', repair))).toMatch(hint);
  });

  it('writes no bicycle, because nobody asked for that', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.endsWith('bicycle'))).toEqual(['get_bicycle']);
  });
});
