import { defaultLimits } from './limits.js';
import { mayBeElsewhere, parseUrl, takeOptions } from './remote-options.js';
import { splitCommand } from './stdio-channel.js';

const flags = { ...defaultLimits, url: new URL('http://127.0.0.1:3000/mcp'), header: {} };
const tool = {
  properties: { text: { type: 'string' }, quiet: { $ref: '#/$defs/Switch' } },
  $defs: { Switch: { type: 'boolean' } },
} as const;

test.each(['localhost:3000/mcp', '127.0.0.1:3000', 'mcp.example.com/mcp'])(
  'the address %s lacks only its scheme, and the message has it whole',
  (address) => {
    expect(() => parseUrl(address)).toThrow(`It must be an http or https URL. Write http://${address}.`);
  },
);

test.each(['nonsense', 'ftp://example.com', 'file:///etc'])(
  '%s is nothing that a scheme would repair',
  (text) => {
    expect(() => parseUrl(text)).toThrow(/^It must be an http or https URL\.$/);
  },
);

test('a header may stand behind the name of the tool, in its short form too', () => {
  const taken = takeOptions(
    ['--text', 'a', '-H', 'Authorization: Bearer b', '--header', 'X-A: 1'],
    flags,
    tool,
  );
  expect(taken).toMatchObject({
    words: ['--text', 'a'],
    isElsewhere: true,
    flags: { header: { authorization: 'Bearer b', 'x-a': '1' } },
  });
});

test('a switch behind a reference does not take the option after it', () => {
  const taken = takeOptions(['--quiet', '-H', 'X-A: 1', '--quiet', '--json'], flags, tool);
  expect(taken).toMatchObject({
    words: ['--quiet', '--quiet'],
    flags: { header: { 'x-a': '1' }, json: true },
  });
});

test('an option that the tool has as an argument may belong to the tool, however it is written', () => {
  const words = ['--url', 'x', '--timeout=5', '-H', 'a: b', '--max-bytes', '1', '--json', '--text', 'a'];
  expect(words.filter(mayBeElsewhere)).toEqual(['--url', '--timeout=5', '-H', '--max-bytes']);
  const own = { properties: { url: {}, timeout: {}, json: {}, 'max-bytes': {} } };
  const all = ['--url', 'foo', '--timeout', '5', '--json', 'x', '--max-bytes', 'soon'];
  expect(takeOptions(all, flags, own)).toMatchObject({ words: all, flags });
});

test('the value of an argument may look like an option', () => {
  expect(takeOptions(['--text', '-H'], flags, tool)).toMatchObject({
    words: ['--text', '-H'],
    isElsewhere: false,
  });
});

test('an option after an argument is no value of it', () => {
  const taken = takeOptions(['--text', '--json', '--quiet', '--text', '--quiet'], flags, tool);
  expect(taken).toMatchObject({ words: ['--text', '--quiet', '--text', '--quiet'], flags: { json: true } });
});

test.each([
  [['--app', 'b.js'], { url: new URL('https://example.com/mcp') }],
  [['--server', 'notes'], { app: 'a.js' }],
  [['--stdio', 'b', '--url', 'http://127.0.0.1:1'], {}],
])('%j after the name of a tool does not replace another server: %j', (words, given) => {
  expect(() => takeOptions(words, { ...flags, ...given }, tool)).toThrow(
    /--\w+ and --\w+ each name a server/,
  );
});

test.each([
  ['server --name="two words" x', ['server', '--name=two words', 'x']],
  [`server 'a b'"c d"e`, ['server', 'a bc de']],
  ['server ""', ['server', '']],
  ['C:\\tools\\server.exe  -v', ['C:\\tools\\server.exe', '-v']],
])('the command %s is split as a shell does', (line, [command, ...args]) => {
  expect(splitCommand(line)).toEqual({ command, args });
});

test('a quote without an end is refused', () => {
  expect(() => splitCommand('server "two words')).toThrow('has a quote without an end: server "two words');
});
