import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import {
  type AuditLog,
  latestRecords,
  openAuditSink,
  queryAudit,
  recordSinkContract,
  usageOf,
} from '@toolwright/audit';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { auditTable, compareAudit, migrate, migrationSql, postgresAuditSink } from '../src/index.js';
import { sampleEvent } from '../../audit/test/sample-event.js';
import { temporaryLog } from '../../audit/test/temporary-log.js';
import { sampleEvents, writeLog } from './support/audit-log.js';
import { describePostgres } from './support/describe-postgres.js';

const idsOf = (rows: unknown[]) => rows.map((row) => (row as { id: string }).id);

describe('the audit sink on PGlite', () => {
  const pglite = new PGlite(preparedPglite());
  let schemas = 0;
  afterAll(() => pglite.close());
  recordSinkContract({ describe, it }, async () => {
    const schema = `schema_${++schemas}`;
    await migrate({ pglite, schema });
    const deliveredIds = async () =>
      idsOf((await pglite.query(`SELECT id FROM ${schema}.audit_records ORDER BY seq`)).rows);
    return { sink: postgresAuditSink({ pglite, schema }), deliveredIds };
  });
});

describePostgres('the audit sink', (postgres) => {
  const log = temporaryLog();
  const url = () => postgres.server.url;

  recordSinkContract({ describe, it }, async () => {
    const schema = postgres.newSchema();
    await migrate({ url: url(), schema });
    const deliveredIds = async () =>
      idsOf(await postgres.sql(`SELECT id FROM ${schema}.audit_records ORDER BY seq`));
    return { sink: postgresAuditSink({ url: url(), schema, batch: 3 }), deliveredIds };
  });

  it('goes on after a kill: no record is missing, and none is there twice', async () => {
    const schema = postgres.newSchema();
    await migrate({ url: url(), schema });
    const count = async () =>
      (await postgres.sql(`SELECT count(*)::int AS rows FROM ${schema}.audit_records`))[0]!['rows'] as number;
    for (const enough of [50, 400]) {
      const fixture = join(__dirname, 'fixtures/ship.ts');
      const register = join(__dirname, '../../audit/test/fixtures/register-source.cjs');
      const child = spawn(process.execPath, ['-r', register, fixture, log.file, url(), schema], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      while (child.exitCode === null && (await count()) < enough);
      child.kill('SIGKILL');
      await ended;
      expect(child.signalCode).toBe('SIGKILL');
    }

    await writeLog(log.file, postgresAuditSink({ url: url(), schema }), [sampleEvent()]);
    const comparison = await compareAudit({ file: log.file, url: url(), schema });
    expect(comparison).toMatchObject({ equal: true, waiting: 0, older: 0, others: 0 });
    expect(comparison.records).toBeGreaterThan(400);
    expect(await count()).toBe(comparison.records);
  });

  it('sends later what was written while Postgres was away', async () => {
    const schema = postgres.newSchema();
    const sink = postgresAuditSink({ url: url(), schema });
    const warnings: string[] = [];
    const warn = (fields: Record<string, unknown>) => void warnings.push(String(fields['reason']));
    const logger = { debug() {}, info() {}, warn, error() {} };
    await postgres.server.halt();
    const audit = await openAuditSink({ file: log.file, sinks: [sink], logger });
    await audit.write(sampleEvent(), 'strict');
    await audit.flush();
    await postgres.server.launch();
    await audit.close();
    expect(warnings[0]).toMatch(/^Postgres does not answer: /);
    const comparison = await compareAudit({ file: log.file, url: url(), schema });
    expect(comparison).toMatchObject({ equal: true, records: 1, waiting: 0 });
  });

  it('answers for the logs of all replicas, in the order of time, and says which records are missing', async () => {
    const schema = postgres.newSchema();
    const start = Date.UTC(2026, 10, 23);
    const events = (first: number) =>
      Array.from({ length: 600 }, (_, at) => ({ ...sampleEvent(), time: start + first + at * 2 }));
    for (const [first, replica] of ['one', 'two'].entries()) {
      const file = join(dirname(log.file), replica, 'audit.jsonl');
      await writeLog(file, postgresAuditSink({ url: url(), schema }), events(first));
    }
    const table = await auditTable({ url: url(), schema });
    try {
      const read = async (filter: { since?: number; until?: number } = {}) => {
        const [times, broken]: [number[], string[]] = [[], []];
        const told = { onBroken: (text: string) => void broken.push(text) };
        for await (const { time } of queryAudit({ file: table, filter, ...told })) times.push(time - start);
        return { times, broken };
      };
      const whole = { times: Array.from({ length: 1_200 }, (_, at) => at), broken: [] };
      expect(await read()).toEqual(whole);
      expect(await read({ since: start + 900, until: start + 1_000 })).toEqual({
        times: whole.times.slice(900, 1_000),
        broken: [],
      });
      expect(await usageOf({ file: [table] })).toMatchObject([{ calls: 1_200 }]);
      const back: number[] = [];
      for (let before: string | undefined; ;) {
        const page = await latestRecords({
          file: table,
          limit: 700,
          ...(before !== undefined && { before }),
        });
        back.push(...page.records.map(({ time }) => time - start));
        if (page.next === undefined) break;
        before = page.next;
      }
      expect(back).toEqual(whole.times.toReversed());
      await postgres.sql(`DELETE FROM ${schema}.audit_records WHERE seq IN (7, 8, 9)`);
      const { times, broken } = await read();
      expect(times).toHaveLength(1_194);
      expect(broken).toEqual([
        expect.stringMatching(/^the table lacks 3 record\(s\) of writer .*, from number 7 on$/),
        expect.stringMatching(/^the table lacks 3 record\(s\)/),
      ]);
    } finally {
      await table.close();
    }
  });

  describe('a table that somebody changed', () => {
    const change = `record = replace(record::text, 'user-1', 'user-2')::json`;
    it.each([
      ['the record', change, 'alone and beside its log'],
      ['a column', `name = 'create_page'`, 'alone and beside its log'],
      ['the time', `time = time + interval '1 s'`, 'alone and beside its log'],
      ['the record and its columns', `${change}, subject = 'user-2'`, 'beside its log'],
      ['the record to null', `record = 'null'`, 'alone and beside its log'],
    ])('tells %s: %s, %s', async (_what, assignment, where) => {
      const schema = postgres.newSchema();
      await writeLog(log.file, postgresAuditSink({ url: url(), schema }), sampleEvents(5));
      const table = await auditTable({ url: url(), schema });
      try {
        const read = async (file: AuditLog[]) => {
          const broken: string[] = [];
          for await (const _ of queryAudit({ file, onBroken: (text) => broken.push(text) })) continue;
          return broken;
        };
        expect(await read([log.file, table])).toEqual([]);
        await postgres.sql(`UPDATE ${schema}.audit_records SET ${assignment} WHERE seq = 3`);
        const row = /^the row of the table with the number 3 of writer \S+ (?:was changed|has no record)/;
        const differs = /^two logs have different records with the number 3/;
        const alone = where.startsWith('alone');
        expect(await read([table])).toEqual(alone ? [expect.stringMatching(row)] : []);
        const beside = [await read([log.file, table]), await read([table, log.file])];
        for (const broken of beside)
          expect(broken).toContainEqual(expect.stringMatching(alone ? row : differs));
        expect(beside[0]).toEqual(beside[1]);
        await latestRecords({ file: [log.file, table], onBroken: () => undefined });
      } finally {
        await table.close();
      }
    });
  });

  it('takes every text that a record can have, and keeps it as it is', async () => {
    const schema = postgres.newSchema();
    const events = [
      sampleEvent({ name: 'nul \0 inside', client: { name: '\0', version: '\ud800' } }),
      sampleEvent({ name: 'half a pair \ud83d', outcome: '"quoted", \\ and {braces}' }),
      sampleEvent({ principal: { subject: '😀'.repeat(5_000) }, traceId: 't', time: 1_785_225_600_123 }),
      sampleEvent({ principal: null, loggable: { '\0': ['\0', 1e21, null], deep: { '\ud800': true } } }),
    ];
    await writeLog(log.file, postgresAuditSink({ url: url(), schema }), events);
    const comparison = await compareAudit({ file: log.file, url: url(), schema });
    expect(comparison).toMatchObject({ equal: true, records: 4 });
    const [row] = await postgres.sql(`SELECT * FROM ${schema}.audit_records WHERE trace_id = 't'`);
    expect(row).toMatchObject({
      name: 'delete_page',
      event: 'outcome',
      operation: 'tool',
      call_id: 'call-1',
    });
    expect(row!['time']).toEqual(new Date(1_785_225_600_123));
    expect(row!['record'].principal.subject).toBe('😀'.repeat(5_000));
  });

  it('needs few rights: it reads no more than ids, and changes nothing', async () => {
    const schema = postgres.newSchema();
    await postgres.sql(migrationSql({ schema }));
    // The rights that docs/postgres.md names.
    await postgres.sql(`CREATE ROLE shipper LOGIN`);
    await postgres.sql(`GRANT USAGE ON SCHEMA ${schema} TO shipper`);
    await postgres.sql(`GRANT SELECT ON ${schema}.migrations TO shipper`);
    await postgres.sql(`GRANT INSERT, SELECT (id) ON ${schema}.audit_records TO shipper`);
    const shipper = postgres.server.urlOf('shipper');
    await writeLog(log.file, postgresAuditSink({ url: shipper, schema }), sampleEvents(3));
    expect(await compareAudit({ file: log.file, url: url(), schema })).toMatchObject({
      equal: true,
      records: 3,
    });
  });

  it.each([
    [{ name: 'Not A Name' }, '"name" must be small letters, digits and hyphens'],
    [{ batch: 0 }, '"batch" must be a positive integer'],
    [{ pool: { connect() {} } }, 'postgresAuditSink has "url" and "pool"'],
  ])('refuses the options %p', (options, message) => {
    expect(() => postgresAuditSink({ url: url(), ...options } as never)).toThrow(message);
  });
});
