import type { CommandValues } from '@toolwright/json';
import type { AuditEvent } from '@toolwright/core/ports';
import { openAuditSink, usageCommand, usageOf } from '../src/index.js';
import { weekOf } from '../src/usage/usage-of.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

const DAY = 86_400_000;
const monday = Date.UTC(2026, 10, 23);

async function write(...events: Partial<AuditEvent>[]): Promise<void> {
  const sink = await openAuditSink({ file: log.file });
  for (const event of events) await sink.write(sampleEvent({ time: monday, ...event }), 'strict');
  await sink.close();
}

const acme = { subject: 'a', tenant: 'acme', clientId: 'desk' };
const search = { name: 'search_pages', principal: acme, durationMs: 10, result: 'x'.repeat(400) } as const;

beforeEach(() =>
  write(
    { ...search, version: '2' },
    { ...search, version: '2', durationMs: 100, time: monday + 8 * DAY },
    { ...search, version: '1', deprecated: true, principal: { subject: 'b' }, outcome: 'error' },
    { ...search, event: 'limited', outcome: 'limited', count: 5, durationMs: 0, result: undefined },
    { ...search, event: 'intent', outcome: undefined },
    { ...search, event: 'confirmed', outcome: undefined },
    { name: 'page://{id}', operation: 'resourceTemplate' },
    { name: 'delete_page', principal: null, client: null, result: undefined },
  ),
);

test('calls, errors, refusals, latency and tokens are added up by tool; what began, or is no tool, does not count', async () => {
  const rows = await usageOf({ file: log.file });
  expect(
    rows.map(({ keys, calls, errors, refused, tokens }) => ({ keys, calls, errors, refused, tokens })),
  ).toEqual([
    { keys: { tool: 'search_pages' }, calls: 8, errors: 1, refused: 5, tokens: 300 },
    { keys: { tool: 'delete_page' }, calls: 1, errors: 0, refused: 0, tokens: 0 },
  ]);
  const [{ p50Ms, p95Ms, lastUsed }] = rows as [(typeof rows)[number]];
  expect(p50Ms! / 10).toBeCloseTo(1, 1);
  expect(p95Ms! / 100).toBeCloseTo(1, 1);
  expect(lastUsed).toBe(monday + 8 * DAY);
});

test('a call without a duration has no latency', async () => {
  const [, row] = await usageOf({ file: log.file });
  expect(row).not.toHaveProperty('p50Ms');
});

test('groups are told apart by several keys, and a client without a token is only what it says', async () => {
  const rows = await usageOf({
    file: log.file,
    by: ['client', 'tenant', 'week'],
    filter: { name: 'search_pages' },
  });
  expect(rows.map(({ keys, calls }) => [...Object.values(keys), calls])).toEqual([
    ['desk', 'acme', '2026-W48', 6],
    ['desk', 'acme', '2026-W49', 1],
    ['client (as it says)', '', '2026-W48', 1],
  ]);
});

test('the log says who still calls an old version', async () => {
  const rows = await usageOf({ file: log.file, by: ['tool', 'version', 'subject'], deprecated: true });
  expect(rows).toMatchObject([
    { keys: { tool: 'search_pages', version: '1', subject: 'b' }, calls: 1, deprecated: true },
  ]);
});

test.each([
  [Date.UTC(2026, 0, 1), '2026-W01'],
  [Date.UTC(2027, 0, 1), '2026-W53'],
  [Date.UTC(2024, 11, 30), '2025-W01'],
  [Date.UTC(2026, 10, 29, 23, 59), '2026-W48'],
])('the week of %d is %s', (time, week) => {
  expect(weekOf(time)).toBe(week);
});

describe('the command', () => {
  const run = async (values: CommandValues, file = log.file) => {
    let [out, err] = ['', ''];
    const console = {
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
      interactive: false,
    };
    return { code: await usageCommand.run(file, values, console), out, err };
  };

  test('prints a table, and marks what is deprecated', async () => {
    const { code, out } = await run({ by: 'tool,version', name: 'search_pages' });
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.replace(/ +/g, ' '));
    expect(lines[0]).toBe('TOOL VERSION CALLS ERRORS REFUSED P50 MS P95 MS TOKENS LAST USED');
    expect(lines).toContainEqual(expect.stringMatching(/^search_pages \(deprecated\) 1 1 1 0 /));
  });

  test('says of a tool with versions how many calls were of an old one', async () => {
    const { out } = await run({ by: 'tool', name: 'search_pages' });
    expect(out).toMatch(/^search_pages \(1 deprecated\) /m);
    const [row] = await usageOf({ file: log.file, filter: { name: 'search_pages' } });
    expect(row).toMatchObject({ deprecated: false, deprecatedCalls: 1 });
  });

  test('prints the rows as JSON', async () => {
    const { out } = await run({ by: 'tenant', json: true });
    expect(JSON.parse(out)).toEqual(await usageOf({ file: log.file, by: ['tenant'] }));
  });

  test('says that nothing was found', async () => {
    expect(await run({ tenant: 'none' })).toMatchObject({
      code: 0,
      out: 'The log has no such calls of tools.\n',
    });
  });

  test('a wrong key, or a log that is not there, ends with 2 and one line', async () => {
    expect(await run({ by: 'colour' })).toEqual({
      code: 2,
      out: '',
      err: '--by takes some of tool, version, client, tenant, subject, week, with commas.\n',
    });
    expect(await run({}, `${log.file}.none`)).toMatchObject({ code: 2 });
  });
});
