import { Confirm, createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';

const done: string[] = [];
const asked: string[] = [];

const takes = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const gives = { type: 'object' as const };

const tools: Parameters<McpServer['tools']['add']>[0][] = [
  {
    name: 'refund',
    description: 'Refund an order.',
    annotations: { destructiveHint: true },
    policies: [Confirm.entry(({ id }: { id: string }) => `Refund ${id}?`)],
    inputSchema: takes('id'),
    outputSchema: gives,
    handler({ id }) {
      done.push(`refund ${String(id)}`);
      return { refunded: id };
    },
  },
  {
    name: 'note',
    description: 'Note something.',
    inputSchema: takes('what'),
    outputSchema: gives,
    handler({ what }) {
      done.push(`note ${String(what)}`);
      return { noted: what };
    },
  },
  {
    name: 'colour',
    description: 'Ask for a colour.',
    inputSchema: takes(),
    outputSchema: gives,
    async handler(_args, ctx) {
      const before = await ctx.once('before', () => (done.push('before'), done.length));
      const schema = { type: 'object', properties: { colour: { type: 'string' } } } as const;
      const answer = await ctx.elicit('colour', { message: 'Which colour?', schema });
      done.push(`colour after ${before}`);
      return { colour: (answer as { content?: { colour?: string } }).content?.colour };
    },
  },
];

let server: McpServer;
beforeAll(async () => {
  server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    codeMode: true,
    secrets: ['x'.repeat(32)],
  });
  server.tools.add(tools);
});
afterAll(() => server.close());
beforeEach(() => void (done.splice(0), asked.splice(0)));

const clientOf = (revision: string, accept = (_message: string) => true) =>
  connect(server, {
    revision: revision as '2026-07-28',
    elicit: async ({ message }) => {
      asked.push(message);
      return accept(message)
        ? { action: 'accept', content: { confirmed: true, confirm: true, colour: 'blue' } }
        : { action: 'decline' };
    },
  });

describe.each(['2026-07-28', '2025-11-25'])('in revision %s', (revision) => {
  test('a question in the middle goes to the person, and nothing is done twice', async () => {
    const client = await clientOf(revision);
    const code = `
      const a = await tools.note({ what: 'one' });
      const at = [Date.now(), Math.random()];
      const b = await tools.refund({ id: 'B-1' });
      console.log(at[0] === new Date(at[0]).getTime(), at[1]);
      await tools.note({ what: 'two' });
      const c = await tools.refund({ id: 'B-2' });
      return { a, b, c };`;
    const { structuredContent } = await client.call('run_code', { code });
    expect(structuredContent).toMatchObject({
      result: { a: { noted: 'one' }, b: { refunded: 'B-1' }, c: { refunded: 'B-2' } },
    });
    expect(done).toEqual(['note one', 'refund B-1', 'note two', 'refund B-2']);
    expect(asked).toEqual([expect.stringContaining('Refund B-1?'), expect.stringContaining('Refund B-2?')]);
    await client.close();
  });

  test('parallel calls: what does not ask is recorded, and all questions go out', async () => {
    const client = await clientOf(revision);
    const code = `return await Promise.all([tools.refund({ id: 'A' }), tools.note({ what: 'x' }), tools.refund({ id: 'B' }), tools.colour()])`;
    const { structuredContent } = await client.call('run_code', { code });
    expect(structuredContent).toMatchObject({
      result: [{ refunded: 'A' }, { noted: 'x' }, { refunded: 'B' }, { colour: 'blue' }],
    });
    expect([...done].sort()).toEqual([
      'before',
      expect.stringMatching(/^colour after \d$/),
      'note x',
      'refund A',
      'refund B',
    ]);
    expect(asked).toHaveLength(3);
    await client.close();
  });

  test('a person who says no: the program hears it', async () => {
    const client = await clientOf(revision, () => false);
    const code = `try { await tools.refund({ id: 'A' }) } catch (error) { return error.message }`;
    const { structuredContent } = await client.call('run_code', { code });
    expect(structuredContent).toMatchObject({ result: expect.stringMatching(/did not confirm/) });
    expect(done).toEqual([]);
    await client.close();
  });
});

test('what an earlier round did is not done again', async () => {
  const client = await clientOf('2026-07-28');
  let round = 0;
  server.tools.add({
    name: 'round',
    description: 'Count.',
    annotations: { readOnlyHint: true },
    inputSchema: takes(),
    handler: () => String(++round),
  });
  const { structuredContent } = await client.call('run_code', {
    code: `const at = await tools.round(); await tools.refund({ id: 'A' }); return at + (await tools.round())`,
  });
  expect(structuredContent).toMatchObject({ result: '12' });
  server.tools.remove('round');
  await client.close();
});

test('a journal that is long does not travel, and is known in the next round', async () => {
  const client = await clientOf('2026-07-28');
  server.tools.add({
    name: 'long',
    description: 'Much.',
    annotations: { readOnlyHint: true },
    inputSchema: takes(),
    handler: () => 'x'.repeat(200_000),
  });
  const { structuredContent } = await client.call('run_code', {
    code: `const all = await tools.long(); await tools.refund({ id: 'A' }); await tools.refund({ id: 'B' }); return all.length`,
  });
  expect(structuredContent).toMatchObject({ result: 200_000 });
  server.tools.remove('long');
  await client.close();
});

test('the person does not read that a program has confirmed its call', async () => {
  server.tools.add({
    name: 'erase',
    description: 'Erase an order.',
    policies: [Confirm.entry('Erase it?', { fallback: 'argument' })],
    inputSchema: takes('id'),
    handler: (args) => `erased ${JSON.stringify(args)}`,
  });
  const client = await clientOf('2026-07-28');
  const { structuredContent } = await client.call('run_code', {
    code: `return await tools.erase({ id: '1', confirmed: true })`,
  });
  expect(structuredContent).toEqual({ result: 'erased {"id":"1"}' });
  expect(asked).toEqual([`The tool "erase" asks, which was called with {"id":"1"}:\n\n> Erase it?`]);
  server.tools.remove('erase');
  await client.close();
});

test.each(['2025-06-18', '2026-07-28'])(
  'a program cannot confirm its own call by an argument, on %s',
  async (revision) => {
    server.tools.add({
      name: 'wipe',
      description: 'Wipe all orders.',
      annotations: { destructiveHint: true },
      policies: [Confirm.entry('Wipe all?', { fallback: 'argument' })],
      inputSchema: takes('id'),
      handler: () => void done.push('wiped'),
    });
    const client = await connect(server, { revision: revision as '2026-07-28' });
    const code = `const told = [];
    for (const args of [{ id: '7' }, { id: '7', confirmed: true }])
      await tools.wipe(args).catch(({ message }) => told.push(message));
    return told`;
    const { structuredContent } = await client.call('run_code', { code });
    expect(structuredContent).toEqual({
      result: [expect.stringContaining('confirmation'), expect.stringContaining('confirmation')],
    });
    expect(done).toEqual([]);
    await client.close();
    server.tools.remove('wipe');
  },
);
