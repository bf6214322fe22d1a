import { setUpHost } from '@toolwright/hosts';
import { parse } from 'smol-toml';
import { withTomlEntry, withoutTomlEntry } from './edit-toml.js';

const server = { name: 'notes', command: 'node', args: ['main.js'], env: { MODE: 'x' } };
const config = setUpHost('codex', server).config!;
const { path } = config;

const written = `# my settings
model = "o5" # best

[mcp_servers.other] # the other
command = "npx"
args = [
  "-y", # yes
  "[mcp_servers.notes]",
]
text = """
[mcp_servers.notes]
"""

[[rules]]
path = '[mcp_servers.notes]'

# about the screen
[tui]
theme = "dark"
`;

test('a table is added at the end, and everything before it stays as it is', () => {
  const after = withTomlEntry(written, config);
  expect(after).toBe(`${written}\n${config.text}`);
  expect(parse(after)).toMatchObject({ mcp_servers: { notes: { args: ['main.js'], env: { MODE: 'x' } } } });
  expect(withoutTomlEntry(after, path)).toBe(written);
});

test('a table in the middle is replaced in its place; comments of its neighbours stay', () => {
  const old = `[mcp_servers.notes] # old
command = "old"
args = ["[x]", "]"] # also old

[mcp_servers.notes.env]
A = "1"

# about the screen`;
  const before = written.replace('# about the screen', old);
  const after = withTomlEntry(before, config);
  expect(after).toBe(written.replace('# about the screen', `${config.text}\n# about the screen`));
  expect(withoutTomlEntry(before, path)).toBe(written);
});

test.each([
  ['', config.text],
  ['a = 1', `a = 1\n\n${config.text}`],
  ['a = 1\r\n', `a = 1\r\n\r\n${config.text.replaceAll('\n', '\r\n')}`],
  ['["mcp_servers" . "notes"]\ncommand = "old"\n', config.text],
])('in %j', (before, after) => {
  expect(withTomlEntry(before, config)).toBe(after);
});

test.each([
  ['mcp_servers = { notes = { command = "x" } }', /without changing something else/],
  ['mcp_servers.notes.command = "x"', /without changing something else/],
  ['[mcp_servers]\nnotes = { command = "x" }', /without changing something else/],
  ['a = ', /cannot be read/],
])('%s is left to the person', (text, message) => {
  expect(() => withTomlEntry(text, config)).toThrow(message);
});
