import { type McpServer, ToolError, structured, text } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { SessionWire } from '../wire/session-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;
beforeEach(async () => {
  server = await boot({ rateLimit: false });
});
afterEach(() => server.close(0));

const said = (value: string) => ({ type: 'text', text: value });
const failed = { content: [said('The tool failed and gave no reason.')], isError: true };

/** The same call on a revision of each era. */
async function answersTo(handler: () => unknown, outputSchema?: object) {
  server.tools.add({
    name: 'tool',
    description: 'A tool.',
    handler,
    ...(outputSchema && { outputSchema: outputSchema as { type: string } }),
  });
  const modern = await new StatelessWire(server).call('tool');
  const { resultType: _, _meta: __, ...result } = modern.result;
  const older = await new SessionWire(server).request('tools/call', { name: 'tool', arguments: {} });
  return [result, older.result as object];
}

test.each<[string, unknown, object[]]>([
  ['an empty string', '', []],
  ['an empty text block', text(''), []],
  ['an empty text with notes for the host', text('', { annotations: { priority: 1 } }), []],
  ['empty texts beside others', [text(''), text('a'), ''], [said('a')]],
  ['a result of the protocol', { content: [said(''), said('b')] }, [said('b')]],
])('%s sends no empty text', async (_, value, content) => {
  expect(await answersTo(() => value)).toEqual([{ content }, { content }]);
});

test('data that is an empty string is sent as data alone', async () => {
  const [modern, older] = await answersTo(() => '', { type: 'string' });
  expect(modern).toEqual({ content: [], structuredContent: '' });
  expect(older).toEqual({ content: [], structuredContent: { result: '' } });
});

test('data with an empty text for the model is sent as data alone', async () => {
  const [modern] = await answersTo(() => structured({ a: 1 }, ''), { type: 'object' });
  expect(modern).toEqual({ content: [], structuredContent: { a: 1 } });
});

test.each<[string, () => unknown]>([
  [
    'a ToolError without a text',
    () => {
      throw new ToolError('');
    },
  ],
  ['an error result with an empty text', () => ({ content: [said('')], isError: true })],
])('%s has a text that says so', async (_, handler) => {
  expect(await answersTo(handler)).toEqual([failed, failed]);
});
