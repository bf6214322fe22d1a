import * as installed from '@toolwright/chat';
import { Confirm, RateLimit } from '@toolwright/core';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, says } from '../../chat/test/support/stub-model.js';
import type { OwnCall } from '../src/api/call-api.js';
import type { ShownChat } from '../src/api/chat-api.js';
import type { ConsoleEvent } from '../src/api/console-api.js';
import { OwnCalls } from '../src/inside/calls/own-calls.js';
import { chatPart } from '../src/inside/chat/chat-part.js';
import { type ChatPackage, hasChat, loadChat } from '../src/inside/chat/load-chat.js';
import { consoleWith, key, lastText, servers } from './support/chat-console.js';
import { exampleServer } from './support/example-server.js';
import { smallServer } from './support/small-server.js';

test('what the console uses of the package is there', () => {
  const used: ChatPackage = installed;
  expect(hasChat()).toBe(true);
  expect(Object.keys(loadChat()!)).toEqual(expect.arrayContaining(Object.keys(used)));
});

test('without the package there is no chat', async () => {
  const server = await smallServer();
  servers.push(server);
  const told: ConsoleEvent[] = [];
  const host = {
    server: () => server,
    tell: (event: ConsoleEvent) => void told.push(event),
    onRest: () => undefined,
    auditLogs: undefined,
    by: 'test',
  };
  const part = chatPart(host, new OwnCalls(host), () => undefined);
  const of = { server: 'small' };
  expect(() => part.chat(of, 'test')).toThrow('Install @toolwright/chat');
  expect(() => part.sendToChat({ ...of, text: 'Hello' }, 'test')).toThrow('Install @toolwright/chat');
  expect(told).toEqual([]);
});

test('without a model the chat says what to set, and never the key', async () => {
  const { inside, of } = await consoleWith(await smallServer(), 'hang');
  delete process.env['TOOLWRIGHT_CHAT_MODEL'];
  const chat = await inside.ask('chat', of);
  expect(chat).toEqual({
    off: expect.stringMatching(/^Set TOOLWRIGHT_CHAT_MODEL in/),
    turns: [],
  });
  await expect(inside.ask('sendToChat', { ...of, text: 'Hello' })).rejects.toThrow(
    /^Set TOOLWRIGHT_CHAT_MODEL/,
  );
  await expect(inside.ask('chat', { server: 'other' })).rejects.toThrow('There is no server "other"');
});

test('a model calls tools as the chosen caller, and its calls are calls of the console', async () => {
  const server = await exampleServer();
  const console = await consoleWith(server, calls(['close_books', {}]), says({ content: 'Closed.' }));
  const { inside, of, model, events } = console;
  const as = { subject: 'ada', scopes: ['books:close'] };
  await inside.ask('sendToChat', { ...of, as, text: 'Close the books.' });
  const asks = await console.until((event) => {
    const chat = event.type === 'chat' ? event.chat : undefined;
    return chat?.turns[0]?.answers[0]?.calls.find(({ state }) => state === 'asks');
  });
  // Nobody but the same caller has this chat.
  await expect(inside.ask('allowChatCall', { ...of, call: asks.id, isAllowed: true })).rejects.toThrow(
    'does not wait',
  );
  await inside.ask('allowChatCall', { ...of, as, call: asks.id, isAllowed: true });
  const chat = await console.ended();
  expect(chat.turns[0]).toMatchObject({
    answers: [{ calls: [{ state: 'ended', call: 'call-1' }] }, { text: 'Closed.' }],
  });
  expect(lastText(model)).toBe('closed');
  const own = (await inside.ask('ownCalls', {})) as OwnCall[];
  expect(own).toMatchObject([{ id: 'call-1', request: { key: 'close_books', as }, state: 'ended' }]);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'call',
      call: expect.objectContaining({ record: expect.objectContaining({ name: 'close_books' }) }),
    }),
  );
  expect(model.request(0).headers).toMatchObject({ authorization: `Bearer ${key}` });
  expect(JSON.stringify([events, chat, own])).not.toContain('canary');
});

test('a guard refuses a model as it refuses its caller, and the model reads why', async () => {
  const server = await smallServer();
  server.tools.add({
    name: 'limited',
    annotations: { readOnlyHint: true },
    policies: [RateLimit.entry({ points: 1, per: '1h' })],
    handler: () => 'once',
  });
  const console = await consoleWith(
    server,
    calls(['limited', {}, 'a'], ['limited', {}, 'b']),
    says({ content: 'I have to wait.' }),
  );
  await console.inside.ask('sendToChat', { ...console.of, text: 'Twice.' });
  await console.ended();
  const [first, second] = console.model
    .request(1)
    .body.messages.slice(-2)
    .map(({ content }) => content);
  expect(first).toBe('once');
  expect(second).toMatch(/^Error: /);
});

test('a model does not see what its caller does not see', async () => {
  const console = await consoleWith(
    await exampleServer(),
    calls(['close_books', {}]),
    says({ content: 'I may not.' }),
  );
  await console.inside.ask('sendToChat', { ...console.of, text: 'Close the books.' });
  const chat = await console.ended();
  // The tool is hidden from this caller.
  expect(console.model.request(0).body.tools!.map((each) => each.function.name)).not.toContain('close_books');
  expect(chat.turns[0]!.answers[0]!.calls).toMatchObject([
    { problem: expect.stringContaining('There is no tool') as string },
  ]);
});

test('a question and a confirmation are answered in place', async () => {
  const server = await exampleServer();
  server.tools.update('ask_name', { annotations: { readOnlyHint: true } });
  server.tools.add({
    name: 'pay',
    annotations: { destructiveHint: true },
    policies: [Confirm.entry('Pay 7 euros?')],
    handler: () => 'paid',
  });
  const console = await consoleWith(
    server,
    calls(['ask_name', {}]),
    says({ content: 'Hello Ada.' }),
    calls(['pay', {}]),
    says({ content: 'Paid.' }),
  );
  const { inside, of, model } = console;
  await inside.ask('sendToChat', { ...of, text: 'Greet me.' });
  const first = await console.asking();
  expect(first.questions[0]!.params).toMatchObject({ message: 'Who are you?' });
  const answer = { action: 'accept', content: { name: 'Ada' } };
  await inside.ask('answerQuestion', { call: first.id, question: first.questions[0]!.id, answer });
  await console.ended();
  expect(lastText(model)).toBe('Hello Ada');
  await inside.ask('sendToChat', { ...of, text: 'Pay.' });
  // The tool asks by itself, so the chat does not ask before.
  const second = await console.until((event) =>
    event.type === 'ownCall' && event.call.request.key === 'pay' && event.call.state === 'asking'
      ? event.call
      : undefined,
  );
  expect(second.questions[0]!.params).toMatchObject({
    message: expect.stringContaining('Pay 7 euros?') as string,
  });
  const [[name]] = Object.entries(
    (second.questions[0]!.params['requestedSchema'] as { properties: object }).properties,
  ) as [[string, unknown]];
  const yes = { action: 'accept', content: { [name]: true } };
  await inside.ask('answerQuestion', { call: second.id, question: second.questions[0]!.id, answer: yes });
  await console.ended(2);
  expect(lastText(model)).toBe('paid');
});

test('stop cancels the call that waits, and a new chat forgets what was said', async () => {
  const server = await exampleServer();
  server.tools.update('ask_name', { annotations: { readOnlyHint: true } });
  const console = await consoleWith(server, calls(['ask_name', {}]));
  const { inside, of } = console;
  await inside.ask('sendToChat', { ...of, text: 'Greet me.' });
  await console.asking();
  await inside.ask('stopChat', of);
  const chat = await console.ended();
  expect(chat.turns[0]!.problem).toMatchObject({ code: 'TW_CHAT_STOPPED' });
  await expect(inside.ask('sendToChat', { ...of, text: ' ' })).rejects.toThrow('Write something first.');
  expect((await inside.ask('newChat', of)).turns).toEqual([]);
  expect(((await inside.ask('chat', of)) as ShownChat).turns).toEqual([]);
});

test('tools that are for pages only are not for a model', async () => {
  const server = await smallServer();
  server.tools.add({ name: 'for_pages', ui: { visibility: ['app'] }, handler: () => 'ok' });
  const console = await consoleWith(server, says({ content: 'Hello.' }));
  await console.inside.ask('sendToChat', { ...console.of, text: 'Hello' });
  await console.ended();
  expect(console.model.request(0).body.tools!.map((each) => each.function.name)).toEqual(['who_am_i']);
});

test('a turn is copied and saved as cases', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chat-part-'));
  const console = await consoleWith(
    await smallServer(),
    calls(['who_am_i', {}]),
    says({ content: 'Nobody.' }),
  );
  process.env['TOOLWRIGHT_CHAT_CASES'] = join(folder, 'cases.json');
  const { inside, of } = console;
  await expect(inside.ask('casesOfChat', { ...of, turn: 1 })).rejects.toThrow(
    'Nothing of this turn can be a case',
  );
  await inside.ask('sendToChat', { ...of, text: 'Who am I?' });
  const { id } = await console.until((event) =>
    event.type === 'chat' ? event.chat.turns[0]?.answers[0]?.calls[0] : undefined,
  );
  await inside.ask('allowChatCall', { ...of, call: id, isAllowed: true });
  await console.ended();
  const { cases } = await inside.ask('casesOfChat', { ...of, turn: 1 });
  expect(cases).toEqual([
    { name: 'Who am I?', request: 'Who am I?', expect: [{ tool: 'who_am_i', arguments: {} }] },
  ]);
  expect(await inside.ask('saveChatCases', { ...of, turn: 1 })).toMatchObject({ names: ['Who am I?'] });
  expect(JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'))).toEqual(cases);
  rmSync(folder, { recursive: true });
});
