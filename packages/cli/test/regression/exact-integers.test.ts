import { SmallProject } from '../support/small-project.js';

/** A server that reads and writes integers of 64 bits digit for digit. */
const server = `
const answers = {
  initialize: '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"exact","version":"1"}}',
  'tools/list': '{"tools":[{"name":"row","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},' +
    '"since":{"type":"integer","default":9007199254740993}}}}]}',
};
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'server/discover')
    return console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'What?' } }));
  const came = /"arguments":({.*?})/.exec(line)?.[1] ?? '';
  const result = answers[method] ??
    '{"content":[{"type":"text","text":' + JSON.stringify(came) + '}],"structuredContent":{"came":' + came +
    ',"rows":[9007199254740993],"odd":[9007199254740993.0,1152921504606847000,1e30,0.5],"huge":1e310},"_meta":{"x/id":9007199254740993}}';
  console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}');
});
`;

let project: SmallProject;
beforeAll(() => {
  project = new SmallProject({ 'package.json': { name: 'exact' }, 'server.js': server });
});
afterAll(() => project.remove());

const run = (...words: string[]) =>
  project.toolwright(...words, '--stdio', `${process.execPath} server.js`).stdout;

test('call sends and shows the digits that were typed', () => {
  const json = run('call', 'row', '--id', '4611686018427387904', '--json');
  expect(json).toContain('"text": "{\\"id\\":4611686018427387904}"');
  expect(json).toContain('"id": 4611686018427387904\n');
  expect(json).toContain('"x/id": 9007199254740993\n');
});

test('an integer that no double holds is sent and printed digit for digit, in every notation', () => {
  for (const words of [
    ['--id', '9007199254740993.0'],
    ['--input', '{"id":9007199254740993e0}'],
  ]) {
    const json = run('call', 'row', ...words, '--json');
    expect(json).toContain('"text": "{\\"id\\":9007199254740993}"');
    expect(json).toContain('"id": 9007199254740993\n');
  }
  const plain = run('call', 'row', '--id', '9007199254740993').replaceAll(/\s+/g, '');
  expect(plain).toBe(
    `{"came":{"id":9007199254740993},"rows":[9007199254740993],"odd":[9007199254740993,1152921504606847000,1e+30,0.5],"huge":1${'0'.repeat(310)}}`,
  );
});

test('list names no default that the server does not have', () => {
  const { inputSchema } = (JSON.parse(run('list', '--json')) as [{ inputSchema: object }])[0];
  expect(inputSchema).toMatchObject({
    properties: { since: { type: 'integer', description: 'Default: 9007199254740993.' } },
  });
});
