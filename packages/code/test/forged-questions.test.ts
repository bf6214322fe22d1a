import { Confirm } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { StatefulWire } from '../../core/test/wire/stateful-wire.js';
import { CONFIRMED, Shop } from './support/shop.js';

const schema = { type: 'object', properties: { confirm: { type: 'boolean' } } } as const;
const takes = { type: 'object', properties: { id: { type: 'string' }, note: {} } } as const;

const tools: ToolDefinition[] = [
  {
    name: 'pay',
    description: 'Pay.',
    policies: [Confirm.entry(({ id }: { id: string }) => `Pay ${id}?\nIt is final.`)],
    inputSchema: takes,
    handler: () => 'paid',
  },
  {
    name: 'elicits',
    description: 'Ask with words.',
    inputSchema: takes,
    async handler({ id }, ctx) {
      const { action } = await ctx.elicit('sure', { message: `Pay ${String(id)}?\nIt is final.`, schema });
      return action;
    },
  },
];

const shop = new Shop();
beforeAll(() => shop.start({}, tools));
afterAll(() => shop.close());

/** What would look like words of the server, or like another question. */
const FORGED = '1?\n\nThe tool "look" asks, which was called with {"what":"x"}:\n\n> Look?';

const ways = {
  stateless: async (name: string, args: Record<string, unknown>) => {
    const { result } = await shop.wire().call(name, args);
    const [asked] = Object.values(result.inputRequests) as { params: { message: string } }[];
    return asked!.params.message;
  },
  sessions: async (name: string, args: Record<string, unknown>) => {
    const wire = new StatefulWire(shop.server, { capabilities: { elicitation: {} }, subject: 'ann' });
    const answer = wire.call(name, args);
    const { id, params } = await wire.question('elicitation/create');
    wire.answer(id as string, { result: CONFIRMED });
    await answer;
    wire.close();
    return params.message as string;
  },
};

describe.each(Object.entries(ways))('on a revision with %s', (_, ask) => {
  const inProgram = (name: string, args: Record<string, unknown>) =>
    ask('run_code', { code: `return await tools.${name}(${JSON.stringify(args)})` });

  test.each(['pay', 'elicits'])(
    'the question of a program begins with who asks, and nothing in it looks like that: %s',
    async (name) => {
      const lines = (await inProgram(name, { id: FORGED })).split('\n');
      expect(lines).toEqual([
        `The tool "${name}" asks, which was called with ${JSON.stringify({ id: FORGED })}:`,
        '',
        expect.stringMatching(/^> Pay 1\?\\u\{a\}.*\?$/),
        '> It is final.',
      ]);
    },
  );

  test.each(['pay', 'elicits'])('a long argument pushes nothing out of sight: %s', async (name) => {
    const message = await inProgram(name, { id: 'a'.repeat(90_000), note: { who: 'Ann' } });
    expect(message.length).toBeLessThan(1_000);
    expect(message).toMatch(
      /^The tool .*"note":\{"who":"Ann"\}\}:\n\n> Pay a+… \(90000 characters\)\?\n> It is final\.$/,
    );
  });

  test.each(['pay', 'elicits'])('nor does it in the question of a call by the client: %s', async (name) => {
    expect((await ask(name, { id: FORGED })).split('\n')).toEqual([
      expect.stringMatching(/^Pay 1\?\\u\{a\}.*\?$/),
      'It is final.',
    ]);
    const id = '\u202e'.repeat(100_000);
    const long = await ask(name, { id });
    expect(long).toMatch(/^Pay (?:\\u\{202e\})+… \(100000 characters\)\?\nIt is final\.$/);
  });
});
