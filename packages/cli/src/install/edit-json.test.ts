import { setUpHost } from '@toolwright/hosts';
import { withJsonEntry, withoutJsonEntry } from './edit-json.js';

const config = setUpHost('cursor', { name: 'notes', url: 'https://notes.example.com/mcp' }).config!;
const { path } = config;
const entry = '"notes": {\n      "url": "https://notes.example.com/mcp"\n    }';

const commented = `// My settings
{
  "theme": "dark", // at night
  /* servers of the team */
  "mcpServers": {
    // the first
    "other": { "command": "npx" }, // keep me
  },
  "font": 12,
}
`;

test('an entry is added; comments, order and commas stay', () => {
  const after = withJsonEntry(commented, config);
  expect(after).toBe(commented.replace(' // keep me', ` // keep me\n    ${entry},`));
  expect(withoutJsonEntry(after, path)).toBe(commented);
});

test.each([
  ['{}', '{\n  "mcpServers": {\n  }\n}'],
  ['{ "a": 1 }', '{ "a": 1,\n  "mcpServers": {\n  }\n}'],
  ['{\n  // nothing yet\n}\n', '{\n  // nothing yet\n  "mcpServers": {\n  }\n}\n'],
  ['{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n  }\n}'],
  ['{ "mcpServers": { "x": {} } }', '{ "mcpServers": { "x": {}\n} }'],
])('an entry of %j comes and goes', (text, left) => {
  const after = withJsonEntry(text, config);
  expect(after).toContain('"notes": {');
  expect(withJsonEntry(after, config)).toBe(after);
  expect(withoutJsonEntry(after, path)).toBe(left);
});

test('an entry is replaced in its place, with the comments in it; those around it stay', () => {
  const before = `{
  "mcpServers": {
    // mine
    "notes": { "url": "http://old/" /* old */ }, // after
    "other": {}
  }
}`;
  const after = withJsonEntry(before, config);
  expect(after).toMatch(
    /\/\/ mine\n\s+"notes": \{\s+"url": "https:\/\/notes\.example\.com\/mcp"\s+\}, \/\/ after\n\s+"other"/,
  );
  expect(after).not.toContain('/* old */');
});

test.each(['', '  \n'])('a file with %j becomes a whole file', (text) => {
  expect(withJsonEntry(text, config)).toBe(`{\n  "mcpServers": {\n    ${entry}\n  }\n}\n`);
});

test('tabs and the line ends of Windows stay', () => {
  const after = withJsonEntry('{\r\n\t"a": 1\r\n}\r\n', config);
  expect(after).toContain('\r\n\t"mcpServers": {\r\n\t\t"notes": {');
  expect(after.replaceAll('\r\n', '')).not.toContain('\n');
});

test.each([
  ['{ "mcpServers": [] }', /"mcpServers" is no object/],
  ['[]', /no JSON object/],
  ['{ "a": 1', /Line 1 is not JSON: close brace expected/],
  ['{ "mcpServers": {}, "mcpServers": { "x": {} } }', /without changing something else/],
])('%s is left to the person', (text, message) => {
  const change = () => withJsonEntry(text, config);
  expect(change).toThrow(message);
});

describe('inputs of VS Code', () => {
  const secret = setUpHost('vscode', {
    name: 'notes',
    command: 'node',
    env: { KEY: { variable: 'KEY' } },
  }).config!;
  const before = `{
  "inputs": [
    // of another server
    { "id": "other-KEY", "type": "promptString" }
  ],
  "servers": { "other": { "command": "x", "env": { "KEY": "\${input:other-KEY}" } } }
}`;

  test('are added once, and go with the entry', () => {
    const after = withJsonEntry(before, secret);
    expect(after).toContain('"id": "notes-KEY"');
    expect(withJsonEntry(after, secret)).toBe(after);
    const removed = withoutJsonEntry(after, secret.path);
    expect(removed.replace(/\s/g, '')).toBe(before.replace(/\s/g, ''));
  });

  test('stay while another server uses them', () => {
    const shared = withJsonEntry(before, secret).replace('${input:other-KEY}', '${input:notes-KEY}');
    expect(withoutJsonEntry(shared, secret.path)).toContain('"id": "notes-KEY"');
  });
});
