import { Audit, RequireScopes } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { Shop } from './support/shop.js';

const tools: ToolDefinition[] = [
  {
    name: 'locked',
    description: 'Locked.',
    annotations: { readOnlyHint: true },
    policies: [RequireScopes.entry('admin')],
    handler: () => 'in',
  },
  { name: 'hidden', description: 'For others.', for: () => false, handler: () => 'in' },
  {
    name: 'strict',
    description: 'Strict.',
    policies: [Audit.entry({ mode: 'strict' })],
    handler: () => 'in',
  },
];

const shop = new Shop();
beforeAll(() => shop.start({ codeMode: { only: 'readOnly' }, lockedTools: 'listed' }, tools));
afterAll(() => shop.close());
beforeEach(() => void (shop.sink.records.length = 0));

test.each([
  ['only reads are allowed', 'note', 'TW_PROGRAM_REFUSED'],
  ['only reads are allowed, and the audit is strict', 'strict', 'TW_PROGRAM_REFUSED'],
  ['a program cannot run programs', 'run_code', 'TW_PROGRAM_REFUSED'],
  ['the scopes are missing', 'locked', 'TW_INSUFFICIENT_SCOPE'],
  ['it is hidden', 'hidden', 'TW_HIDDEN'],
  ['nothing has the name', 'nothing', 'TW_UNKNOWN_NAME'],
])(
  'a refused call of a program has one record, with its parent and the program: %s',
  async (_why, name, reason) => {
    const program = `try { await tools.${name}({ what: 'x' }) } catch (e) { return [e.code, e.message] }`;
    const { structuredContent } = await shop.round(program);
    const [code, message] = structuredContent.result as [string, string];
    // A program may not know that a tool exists which is hidden from its caller.
    expect(code).toBe(reason === 'TW_HIDDEN' ? 'TW_UNKNOWN_NAME' : reason);
    expect(message.length).toBeGreaterThan(10);
    const records = shop.records;
    const at = records.findIndex(({ event, name: of }) => of === 'run_code' && event === 'outcome');
    const [outer] = records.splice(at, 1);
    expect(records).toEqual([
      expect.objectContaining({
        event: 'denied',
        outcome: 'denied',
        name,
        reason,
        parent: outer!.callId,
        program: outer!.program,
      }),
    ]);
  },
);

test('each of many has its own, and none stands for others', async () => {
  const { structuredContent } = await shop.round(
    `return (await Promise.allSettled(Array.from({ length: 30 }, (_, i) => tools.note({ what: 'x' })))).length`,
  );
  expect(structuredContent).toEqual({ result: 30 });
  const records = shop.recordsOf('note');
  expect(records.map(({ count = 1 }) => count)).toEqual(Array.from({ length: 30 }, () => 1));
});

test('a later round does not record it again', async () => {
  const other = await new Shop().start();
  const code = `await tools.nothing().catch(() => 0); await tools.refund({ id: 'A' }); return 1`;
  await other.round(code, await other.round(code));
  expect(other.recordsOf('nothing')).toHaveLength(1);
  await other.close();
});
