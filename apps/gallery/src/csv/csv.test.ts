import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { dataFolder } from '../data-folder.js';
import { exampleData } from '../example-data.js';
import { CsvTools, type CsvResult } from './csv-tools.js';

describe.each(referees)('CSV files, analysed by $name', (referee) => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-csv-'));
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('orders.csv', '\uFEFFitem,price,note\n"pot, large",12.5,\ncup,0.5,"said ""hm"""\n\nlid,,x\n');
    write('wide.csv', `${Array.from({ length: 20_000 }, (_, column) => `c${column}`).join()}\n`);
    write('large.csv', 'n\n1e308\n1e308\n');
    write('broken.csv', 'a,b\n1,2\n3\n');
    write('unclosed.csv', `a,b\n1,"${'x\n'.repeat(600_000)}`);
    write('empty.csv', '');
    write('secret.txt', 'secret');
    mkdirSync(join(folder, 'folder.csv'));
    writeFileSync(join(tmpdir(), 'gallery-outside.csv'), 'a\n1\n');
    symlinkSync(join(tmpdir(), 'gallery-outside.csv'), join(folder, 'link.csv'));
    symlinkSync(join(exampleData(), 'flights-airport.csv'), join(folder, 'also-outside.csv'));
    topic = await ServedTopic.serve({ services: [CsvTools], providers: [dataFolder(folder)] });
    client = await topic.connect(referee);
  });

  afterAll(async () => {
    await topic.close();
    rmSync(folder, { recursive: true });
    rmSync(join(tmpdir(), 'gallery-outside.csv'), { force: true });
  });

  const analyse = async (args: Record<string, unknown>) =>
    (await client.callTool('analyze_csv', args)).structuredContent as CsvResult;

  it('gives each column what was asked for, and text only its count', async () => {
    const operations = ['sum', 'average', 'count'];

    expect(await analyse({ filepath: 'orders.csv', operations })).toEqual({
      rows: 3,
      columns: [
        { name: 'item', count: 3 },
        { name: 'price', count: 2, sum: 13, average: 6.5 },
        { name: 'note', count: 2 },
      ],
    });
  });

  it('gives the columns that were asked for', async () => {
    const args = { filepath: 'orders.csv', operations: ['average'], columns: ['price'] };

    expect(await analyse(args)).toEqual({ rows: 3, columns: [{ name: 'price', average: 6.5 }] });
  });

  it('gives no more columns than fit into a conversation', async () => {
    const { columns } = await analyse({ filepath: 'wide.csv', operations: ['count'] });

    expect(columns.length).toBeGreaterThan(100);
    expect(columns.length).toBeLessThan(5_000);
  });

  it('lists the files', async () => {
    const { structuredContent } = await client.callTool('list_csv_files', {});
    const { files } = structuredContent as { files: string[] };

    expect(files).toContain('orders.csv');
    expect(files).not.toContain('folder.csv');
    expect(files).not.toContain('link.csv');
  });

  it.each([
    [{ filepath: 'orders.csv', operations: ['median'] }, /"sum"/],
    [{ filepath: 'orders.csv', operations: [] }, /operations/],
    [{ filepath: 'orders.csv', operations: 'sum' }, /operations.*array/is],
    [{ operations: ['sum'] }, /filepath/],
    [{ filepath: 'secret.txt', operations: ['sum'] }, /filepath.*csv/is],
    [{ filepath: '../gallery-outside.csv', operations: ['sum'] }, /list_csv_files/],
    [{ filepath: '..%2fgallery-outside.csv', operations: ['sum'] }, /list_csv_files/],
    [{ filepath: '/etc/passwd.csv', operations: ['sum'] }, /list_csv_files/],
    [{ filepath: 'link.csv', operations: ['sum'] }, /leads out of the folder.*list_csv_files/],
    [{ filepath: 'folder.csv', operations: ['sum'] }, /list_csv_files/],
    [{ filepath: 'missing.csv', operations: ['sum'] }, /does not exist.*list_csv_files/],
    [{ filepath: 'broken.csv', operations: ['sum'] }, /not valid CSV.*line 3/],
    [{ filepath: 'unclosed.csv', operations: ['sum'] }, /not valid CSV/],
    [{ filepath: 'empty.csv', operations: ['sum'] }, /empty/],
    [{ filepath: 'orders.csv', operations: ['sum'], columns: ['prize'] }, /"item", "price", "note"/],
    [{ filepath: 'orders.csv', operations: ['sum'], columns: ['item'] }, /only for "count"/],
    [{ filepath: 'large.csv', operations: ['sum'], columns: ['n'] }, /too large to add up/],
  ])('says what to send instead of %j', async (args, hint) => {
    expect(refusalOf(await client.callTool('analyze_csv', args))).toMatch(hint);
  });
});

describe.each(referees)('a large CSV file, analysed by $name', (referee) => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-csv-large-'));
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    writeFileSync(join(folder, 'large.csv'), `n\n${'1\n'.repeat(100_000)}`);
    topic = await ServedTopic.serve({ services: [CsvTools], providers: [dataFolder(folder)] });
    client = await topic.connect(referee);
  });

  afterAll(async () => {
    await topic.close();
    rmSync(folder, { recursive: true });
  });

  const args = { filepath: 'large.csv', operations: ['sum'] };

  it('tells how far it is', async () => {
    const heard: { progress: number; total?: number; message?: string }[] = [];
    const { structuredContent } = await client.callTool('analyze_csv', args, {
      onprogress: (progress) => void heard.push(progress),
    });

    expect(structuredContent).toEqual({ rows: 100_000, columns: [{ name: 'n', sum: 100_000 }] });
    expect(heard[0]).toMatchObject({ total: 200_002, message: expect.stringMatching(/^\d+ records$/) });
  });

  it('stops when the caller gives up', async () => {
    const cancelling = new AbortController();
    const call = client.callTool('analyze_csv', args, {
      signal: cancelling.signal,
      onprogress: () => cancelling.abort(),
    });

    await expect(call).rejects.toThrow();
    // Had the cancelled call not ended, closing would wait for it in vain.
    expect(await topic.server.drain(60_000)).toBe(true);
  });
});

it('reads the CSV files of vega-datasets', async () => {
  const topic = await ServedTopic.serve({ services: [CsvTools], providers: [dataFolder(exampleData())] });
  const client = await topic.connect(referees[0]!);
  const args = { filepath: 'seattle-weather.csv', operations: ['average'], columns: ['temp_max', 'wind'] };

  const { structuredContent } = await client.callTool('analyze_csv', args);

  expect(structuredContent).toEqual({
    rows: 1_461,
    columns: [
      { name: 'temp_max', average: expect.closeTo(16.439, 3) },
      { name: 'wind', average: expect.closeTo(3.241, 3) },
    ],
  });
  await topic.close();
});
