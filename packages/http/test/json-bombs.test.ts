import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

let service: HttpService;
beforeAll(async () => {
  service = await serveHttp((await createFixture()).server, { port: 0, signals: false });
  // The first call loads the validator, which must be there before nothing can be changed any more.
  await send(service.url, call('echo', { text: 'x' }));
  // Whoever tried to write to it now would fail with a TypeError, and the call with 500.
  Object.freeze(Object.prototype);
});
afterAll(() => service.close());

const textOf = ({ json }: { json: any }): string => json.result.content[0].text as string;

describe('JSON bombs', () => {
  const envelope = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args},` +
    '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
    '"io.modelcontextprotocol/clientCapabilities":{}}}}';
  const { headers } = call('echo');
  const keys = (count: number) =>
    `{"text":"x",${Array.from({ length: count }, (_, index) => `"k${index}":0`).join()}}`;

  const named = (count: number, member: (at: number) => string, [open, close] = '[]') =>
    `${open}${Array.from({ length: count }, (_, at) => member(at)).join()}${close}`;

  test.each([
    ['nested arrays', `{"text":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
    ['nested objects', `{"text":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 400],
    ['lists in lists', `{"text":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 400],
    ['keys', keys(10_001), 400],
    ['a body beyond 1 MiB', JSON.stringify({ text: 'x'.repeat(1024 * 1024) }), 413],
    ['long integers', `{"text":[${'9007199254740993,'.repeat(1_000)}9007199254740993]}`, 400],
    ['numbers beyond a double', `{"text":[${'1e999,'.repeat(1_000)}1e999]}`, 400],
    ['half a document', '{"text":', 400],
  ])('%s are refused, and the next call is served', async (_, args, status) => {
    const { url } = service;
    expect((await send(url, { headers, body: envelope(args) })).status).toBe(status);
    // On a connection of its own. The next case comes over the one of this body, which must not be closed by then.
    expect(textOf(await send(url, { ...call('echo', { text: 'alive' }), agent: false }))).toBe('alive');
  });

  test.each([
    ['a deep text', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
    ['lists without end', `[${'[],'.repeat(110_000)}[]]`],
    ['objects without end', `[${'{},'.repeat(110_000)}{}]`],
    ['an object of many names', named(25_000, (at) => `"${at}":0`, '{}')],
    ['objects of many names', named(25_000, (at) => `{"${at}":0}`)],
    ['objects of many names, and a string without end', `${named(25_000, (at) => `{"${at}":0}`)}"`],
    ['objects of few names in many orders', named(50_000, (at) => `{"${at % 300}":0,"a${at >> 8}":0}`)],
  ])('%s is refused before anything parses it, with a reason', async (_, text) => {
    const { json, status } = await send(service.url, { headers, body: envelope(`{"text":${text}}`) });
    expect([status, json.error.message]).toEqual([
      400,
      'The message has more than 100000 objects and lists, more than 20000 different forms of objects, or is nested more than 1000 levels deep.',
    ]);
  });

  test('a long list of objects is read, and each may leave out some of its members', async () => {
    const text = named(40_000, (at) => `{"x":${at},${at % 2 ? '"y":1,' : ''}"z":":"}`);
    expect(textOf(await send(service.url, { headers, body: envelope(`{"text":${text}}`) }))).toContain(
      'string',
    );
  });

  test('a long text full of brackets and quotes is read', async () => {
    const text = '[{"\\"]'.repeat(40_000);
    expect(textOf(await send(service.url, call('echo', { text })))).toBe(text);
  });

  test('a thousand long integers are explained, and of more no answer has a word for each', async () => {
    const integers = (count: number) =>
      `{"text":[${Array<string>(count).fill('12345678901234567890').join()}]}`;
    const explained = await send(service.url, { headers, body: envelope(integers(1_000)) });
    expect(textOf(explained)).toContain('text[0]: a number does not hold all digits');
    const { json } = await send(service.url, { headers, body: envelope(integers(40_000)) });
    expect(json).toMatchObject({
      id: 1,
      error: { message: 'The message has more than 1000 integers beyond ±(2^53 - 1). Send them as strings.' },
    });
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const { url } = service;
    const body = Buffer.from(envelope('{"text":"\xff"}'), 'latin1');
    expect((await send(url, { headers, body })).status).toBe(400);
  });

  test.each([
    '{"text":"x","__proto__":{"polluted":true}}',
    '{"text":"x","constructor":{"prototype":{"polluted":true}}}',
    '{"text":{"__proto__":{"polluted":true},"toString":1}}',
    '{"__proto__":{"text":"inherited"}}',
  ])('%s changes no prototype', async (args) => {
    const { url } = service;
    const before = Object.getOwnPropertyNames(Object.prototype);
    const answer = await send(url, { headers, body: envelope(args) });
    expect(answer.status).toBe(200);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(answer.text).not.toContain('inherited');
  });
});
