import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCases } from '../../src/index.js';
import { calls, says, StubModel, type StubReply } from '../support/stub-model.js';
import { TestChat } from '../support/test-host.js';

const key = 'sk-canary/0123456789';
const headers = { 'content-type': 'text/event-stream' };
/** JSON, with the key in escapes. */
const escaped = (value: unknown) =>
  JSON.stringify(value).replaceAll(
    key,
    [...key].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
  );
const raw = (reply: StubReply): StubReply => ({ raw: escaped((reply as { json: unknown }).json) });
const delta = (value: object) => `data: ${JSON.stringify({ choices: [{ delta: value }] })}\n\n`;
const halves = [key.slice(0, 9), key.slice(9)] as const;

const answers: readonly (readonly [string, StubReply])[] = [
  ['escapes in a text', raw(says({ content: `It is ${key}.`, reasoning_content: key }))],
  [
    'escaped slashes',
    { raw: JSON.stringify((says({ content: key }) as { json: unknown }).json).replaceAll('/', '\\/') },
  ],
  ['parts of a text', says({ content: halves.map((text) => ({ type: 'text', text })) })],
  ['a stream that splits a text', { raw: halves.map((content) => delta({ content })).join(''), headers }],
  ['escapes in arguments', raw(calls(['find_order', { id: key, [key]: 1 }]))],
  ['escapes in arguments that are a text', calls(['find_order', escaped({ id: key })])],
  ['escapes in arguments that are a text twice', calls(['find_order', JSON.stringify(escaped({ id: key }))])],
  ['escapes in arguments that are broken', calls(['find_order', `${escaped({ id: key })}}`])],
  [
    'a stream that splits arguments',
    {
      raw: [`{"id":"${halves[0]}`, `${halves[1]}"}`]
        .map((args) =>
          delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'find_order', arguments: args } }] }),
        )
        .join(''),
      headers,
    },
  ],
  ['escapes in an error', { raw: escaped({ error: { message: `Wrong key ${key}` } }), status: 401 }],
  ['escapes in an error that is no JSON', { raw: `${escaped({ error: key })} and more`, status: 500 }],
  ['escapes in names of members', { raw: escaped({ [key]: 1 }) }],
  ['the place where words are cut', { raw: `${'x'.repeat(590)}${key}`, status: 500 }],
];

test.each(answers)('the key does not come out of %s', async (_how, reply) => {
  const model = await StubModel.start(reply, says({ content: 'Done.' }));
  const host = new TestChat(model, { key });
  const turn = await host.send('Find it.');
  const folder = mkdtempSync(join(tmpdir(), 'chat-key-'));
  const path = join(folder, 'cases.json');
  addCases(path, host.chat.cases(1));
  const sent = model.requests.slice(1).map(({ body }) => body);
  const all = JSON.stringify([turn, host.made, readFileSync(path, 'utf8'), sent]);
  rmSync(folder, { recursive: true });
  for (const part of ['canary', '0123456789', 'u0063']) expect(all).not.toContain(part);
  expect(JSON.stringify(turn)).toContain('‹');
});

test('a result that has the key, and a person who writes it, show it neither to the page nor to the model', async () => {
  const text = `${'x'.repeat(49_990)}${key}`;
  const ends = [
    { result: { content: [{ type: 'text', text: escaped({ key }) }] } },
    { result: { content: [{ type: 'text', text }] } },
    { error: `No ${key}` },
  ];
  const model = await StubModel.start(
    calls(['find_order', { id: 0 }, 'a'], ['find_order', { id: 1 }, 'b'], ['find_order', { id: 2 }, 'c']),
    says({ content: 'Done.' }),
  );
  const host = new TestChat(model, { key, run: ({ arguments: { id } }) => ends[Number(id)]! });
  const turn = await host.send(`My key is ${key}.`);
  expect(turn.text).toBe('My key is ‹key›.');
  await host.send(`${'x'.repeat(70)} ${key}`);
  const all = JSON.stringify([
    turn,
    host.chat.cases(1),
    host.chat.cases(2),
    model.requests.map(({ body }) => body),
  ]);
  for (const part of ['canary', 'sk-can', 'u0063']) expect(all).not.toContain(part);
});
