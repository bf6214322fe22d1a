import { compareAudit, postgresAuditSink } from '../src/index.js';
import { temporaryLog } from '../../audit/test/temporary-log.js';
import { sampleEvents, writeLog } from './support/audit-log.js';
import { describePostgres } from './support/describe-postgres.js';

describePostgres('a comparison of the table with the log', (postgres) => {
  const log = temporaryLog();
  let schema: string;
  const sink = () => postgresAuditSink({ url: postgres.server.url, schema });
  const compare = (file: string | string[] = log.file) =>
    compareAudit({ file, url: postgres.server.url, schema });
  const change = (statement: string) =>
    postgres.sql(statement.replaceAll('records', `${schema}.audit_records`));

  beforeEach(async () => {
    schema = postgres.newSchema();
    await writeLog(log.file, sink(), sampleEvents(20));
    expect(await compare()).toEqual({
      equal: true,
      records: 20,
      waiting: 0,
      older: 0,
      others: 0,
      missing: { count: 0, first: [] },
      altered: { count: 0, first: [] },
      extra: { count: 0, first: [] },
      broken: [],
    });
  });

  it.each([
    ['record', `record = replace(record::text, 'user-1', 'user-2')::json`],
    ['record', `record = replace(record::text, ':"', ': "')::json`],
    ['name', `name = 'create_page'`],
    ['subject', `subject = NULL`],
    ['time', `time = time - interval '1 ms'`],
    ['seq', `seq = 1000`],
    ['seq', `seq = 9`],
    ['writer', `writer = 'another one'`],
  ])('finds a row whose %s was altered: %s', async (column, assignment) => {
    await change(`UPDATE records SET ${assignment} WHERE seq = 7`);
    const { equal, missing, altered, extra } = await compare();
    expect([equal, missing.count, extra.count]).toEqual([false, 0, 0]);
    expect(altered.first).toEqual([
      { id: expect.any(String), writer: expect.any(String), seq: 7, columns: [column] },
    ]);
  });

  it.each([
    ['the first one', 'seq = 1', [1]],
    ['one in the middle', 'seq = 7', [7]],
    ['the last ones', 'seq > 18', [19, 20]],
  ])('finds rows that are missing: %s', async (_which, condition, numbers) => {
    await change(`DELETE FROM records WHERE ${condition}`);
    const { equal, missing, altered, extra } = await compare();
    expect([equal, altered.count, extra.count]).toEqual([false, 0, 0]);
    expect(missing.first.map(({ seq }) => seq)).toEqual(numbers);
    expect(missing.count).toBe(numbers.length);
  });

  it('finds all rows missing when the table is empty', async () => {
    await change('DELETE FROM records');
    expect(await compare()).toMatchObject({ equal: false, waiting: 0, missing: { count: 20 } });
  });

  it.each([
    ['at the place of another one', 7],
    ['after the end', 500],
  ])('finds an extra row %s', async (_where, seq) => {
    await change(
      `INSERT INTO records SELECT 'made up', writer, ${seq}, time, event, operation, name, subject, outcome, call_id,
       trace_id, record FROM records WHERE seq = 7`,
    );
    const { equal, missing, altered, extra } = await compare();
    expect([equal, missing.count, altered.count]).toEqual([false, 0, 0]);
    expect(extra.first).toEqual([{ id: 'made up', writer: expect.any(String), seq }]);
  });

  it('counts a record that the sink has not got yet as waiting, not as missing', async () => {
    await writeLog(log.file, undefined, sampleEvents(3));
    expect(await compare()).toMatchObject({ equal: true, records: 23, waiting: 3 });
    await writeLog(log.file, sink(), sampleEvents(2));
    expect(await compare()).toMatchObject({ equal: true, records: 25, waiting: 0 });
  });

  it('counts rows of files that retention has deleted', async () => {
    await change(`UPDATE records SET seq = seq + 5`);
    await change(
      `INSERT INTO records SELECT 'retired', writer, 0, time, event, operation, name, subject, outcome, call_id,
       trace_id, record FROM records WHERE seq = 7`,
    );
    await change(`UPDATE records SET seq = seq - 5 WHERE id <> 'retired'`);
    expect(await compare()).toMatchObject({ equal: true, older: 1 });
  });

  it('compares the logs of several replicas that share a table', async () => {
    const other = log.file.replace('audit.jsonl', 'other.jsonl');
    await writeLog(other, sink(), sampleEvents(4));
    expect(await compare()).toMatchObject({ equal: true, records: 20, others: 4 });
    expect(await compare([log.file, other])).toMatchObject({ equal: true, records: 24, others: 0 });
  });

  it('leaves an altered row as it is when its record is sent again', async () => {
    await change(`UPDATE records SET name = 'create_page' WHERE seq = 7`);
    const again = postgresAuditSink({ url: postgres.server.url, schema, name: 'again' });
    await writeLog(log.file, again, []);
    expect((await change('SELECT count(*)::int AS rows FROM records'))[0]).toEqual({ rows: 20 });
    expect((await compare()).altered.count).toBe(1);
  });

  it('says where the log itself is damaged', async () => {
    const { readFile, writeFile } = await import('node:fs/promises');
    const text = await readFile(log.file, 'utf8');
    await writeFile(log.file, text.replace('"callId":"call-4"', '"callId":"call-5"'));
    const { equal, broken, altered } = await compare();
    expect([equal, broken.length, altered.count]).toEqual([false, 1, 1]);
  });

  it('fails when there is no log, or no table', async () => {
    await expect(compare(`${log.file}.not`)).rejects.toMatchObject({ code: 'TW_AUDIT_NOT_FOUND' });
    schema = postgres.newSchema();
    await expect(compare()).rejects.toMatchObject({
      code: 'TW_POSTGRES_REFUSED',
      message: expect.stringContaining('Run the migration'),
    });
  });
});
