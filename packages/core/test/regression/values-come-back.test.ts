import type { ToolContext } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { bootForFile } from '../support/booted-sources.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';

@McpService() export class Tools {
  @McpTool() bytes(data: Uint8Array): string { return [...data].join(); }
  @McpTool() visit(link: URL): string { return link.href; }
  @McpTool() link(text: string): { url: URL } { return { url: new URL(text) }; }
}`);

test.each([
  ['AAH/', '0,1,255'],
  ['AAH_', '0,1,255'],
  ['AA==', '0'],
  ['AA', '0'],
  ['AAH/\r\nAAH/\n', '0,1,255,0,1,255'],
  ['data:image/png;base64,AAH/', 'refused'],
  ['hello world, this is text!', 'refused'],
  ['!!!!', 'refused'],
  ['é', 'refused'],
  ['A', 'refused'],
  ['AAAAA', 'refused'],
  ['AA==AAH/', 'refused'],
])('bytes are base64, and %j is %s', async (data, bytes) => {
  expect(await tools.call('bytes', { data })).toBe(bytes);
});

test.each([
  [
    'https://fonts.googleapis.com/css?family=Roboto|Open+Sans',
    'https://fonts.googleapis.com/css?family=Roboto%7COpen+Sans',
  ],
  ['http://h.test/?a[]=1', 'http://h.test/?a%5B%5D=1'],
  ['http://h.test/?q={a}', 'http://h.test/?q=%7Ba%7D'],
  ['http://h.test/a^b', 'http://h.test/a%5Eb'],
  ['http://h.test/100%', 'http://h.test/100%25'],
  ['http://h.test/?x=%zz', 'http://h.test/?x=%25zz'],
  ['http://h.test/#a#b', 'http://h.test/#a%23b'],
  ['http://[::1]:80/?a[]=%20#x', 'http://[::1]/?a%5B%5D=%20#x'],
  ['https://a.example/ä?b=c%20d', 'https://a.example/%C3%A4?b=c%20d'],
])('the URL %s of a method is sent', async (text, url) => {
  expect(await tools.call('link', { text })).toBe(JSON.stringify({ url }));
});

const values: Record<string, unknown> = {
  bigint: 9007199254740993n,
  inside: { id: 5n, at: undefined },
  date: new Date(5),
  map: new Map([['a', 1]]),
  bytes: new Uint8Array([1, 2]),
  nothing: undefined,
  nan: NaN,
};

test.each([
  ['https://fonts.test/css?family=Roboto|Open', '"|" written as "%7C"'],
  ['http://h.test/?q={a}', '"{" written as "%7B", "}" written as "%7D"'],
  ['http://h.test/?a[]=1', '"[" and "]" written as "%5B" and "%5D"'],
  ['http://h.test/a?b^c', '"^" written as "%5E"'],
  ['http://h.test/100%', '"%" written as "%25"'],
  ['http://h.test/?x=%zz', '"%" written as "%25"'],
  ['http://h.test/a b', '" " written as "%20"'],
  ['http://h.test/#a#b', 'the second "#" written as "%23"'],
])('the URL %s as an argument is refused with what to write', async (link, words) => {
  const { result } = await tools.booted.wire.call('visit', { link });
  expect(result.content[0].text).toContain(
    `a URL such as "https://example.com/page", with ${words}, received`,
  );
  const right = words.startsWith('the second')
    ? link.replace('#b', '%23b')
    : [...words.matchAll(/"(.)"(?= written| and)/g)].reduce(
        (text, [, each]) => text.replaceAll(each!, encodeURIComponent(each!)),
        link,
      );
  expect(await tools.call('visit', { link: right })).toContain('.test/');
});

test('a step gives later rounds the same value, and is done once', async () => {
  const server = await boot({ services: [], rateLimit: false });
  const runs: string[] = [];
  const seen: unknown[] = [];
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const handler = async ({ name }: Record<string, unknown>, context: ToolContext) => {
    const value = await context.once('step', () => {
      runs.push(String(name));
      return values[String(name)];
    });
    seen.push(value);
    await context.elicit('sure', { message: 'Sure?', schema: { type: 'object', properties: {} } });
    return 'done';
  };
  server.tools.add({ name: 'steps', description: 'Steps.', inputSchema, handler });
  const wire = StatelessWire.of(server, 'ada', { elicitation: { form: {} } });
  for (const name of Object.keys(values)) {
    const { result } = await wire.call('steps', { name });
    const { requestState } = result as { requestState: string };
    const answers = { requestState, inputResponses: { sure: { action: 'accept', content: {} } } };
    const last = await wire.call('steps', { name }, answers);
    expect(last.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(seen.splice(0)).toEqual([values[name], values[name]]);
  }
  expect(runs).toEqual(Object.keys(values));
  await server.close(0);
});
