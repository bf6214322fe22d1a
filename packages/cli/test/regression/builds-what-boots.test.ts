import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer, type ConfigurationError } from '@toolwright/core';
import { buildManifest } from '@toolwright/schema-compiler';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { toolwright } from '../support/recording-terminal.js';
import { UnbootableTools } from '../fixtures/unbootable/src/unbootable-tools.js';

const unbootable = join(__dirname, '../fixtures/unbootable');
const bootable = join(__dirname, '../fixtures/bootable');
let folder: string;
let out: string;

beforeEach(() => {
  folder = temporaryFolder();
  out = join(folder, 'manifest.json');
});

test('a build fails at the right place on everything that keeps a server from starting', async () => {
  const { code, stderr } = await toolwright(`build --out ${out}`, unbootable);
  expect(code).toBe(1);
  expect(stderr.match(/^src\S+: TW_\w+: error: .*?[.:](?= |$)/gm)).toMatchInlineSnapshot(`
    [
      "src/unbootable-tools.ts:17:3: TW_NAME_INVALID: error: "find notes" cannot name a tool.",
      "src/unbootable-tools.ts:29:3: TW_NAME_DUPLICATE: error: There is a tool "add_note" already, at src/unbootable-tools.ts:23:3.",
      "src/unbootable-tools.ts:35:3: TW_TEXT_HIDDEN: error: The tool "countNotes" has the hidden character U+200B in its description.",
      "src/unbootable-tools.ts:41:3: TW_TEXT_HIDDEN: error: The tool "hideNotes" has the hidden character U+200B in its _meta.team.",
      "src/unbootable-tools.ts:47:3: TW_PATTERN_UNSAFE: error: In the arguments of the prompt "matchNote", the pattern "^(\\\\w+-?)+$" can take exponential time:",
      "src/unbootable-tools.ts:53:3: TW_SCHEMA_INVALID: error: The input schema of "takeAnything" is not that of an object.",
      "src/unbootable-tools.ts:59:3: TW_URI_INVALID: error: The URI template "note://{name}" of "readNote" cannot be used:",
      "src/unbootable-tools.ts:65:3: TW_URI_INVALID: error: The resource "readSettings":",
      "src/unbootable-tools.ts:71:3: TW_URI_INVALID: error: The resource "showPage":",
      "src/unbootable-tools.ts:77:3: TW_OPTION_INVALID: error: The option "annotations.readOnlyHint" must be true or false, not "yes".",
      "src/unbootable-tools.ts:83:3: TW_OPTION_INVALID: error: The option "points" must be a positive number, or a function, not -1.",
      "src/unbootable-tools.ts:90:3: TW_POLICY_INVALID: error: The policy timeout of UnbootableTools.awaitNote:",
    ]
  `);
  expect(stderr).toMatch(/^12 errors: .*manifest\.json was not written\.$/m);
  expect(existsSync(out)).toBe(false);
});

test('a build and a server that starts find the same', async () => {
  const { stderr } = await toolwright(`build --out ${out}`, unbootable);
  const { manifest } = await buildManifest({ project: join(unbootable, 'tsconfig.json') });
  const server = createMcpServer({ name: 'notes', version: '1.0.0', services: [UnbootableTools], manifest });
  const { problems } = (await server.catch((error: unknown) => error)) as ConfigurationError;
  expect(problems).toHaveLength(12);
  for (const { code, message, fix } of problems) {
    // For a name that is used twice, the message shows the first place relative to another folder.
    const [start] = message.split(', at ');
    expect(stderr).toContain(`${code}: error: ${start}`);
    expect(stderr).toContain(fix);
  }
});

test('a build ignores what is known only at run time', async () => {
  const { code, stderr } = await toolwright(`build --out ${out}`, bootable);
  expect(stderr).toMatch(
    /^src\/bootable-tools\.ts:\d+:\d+: warning: TW_SCHEMA_DUPLICATE_NAME: summarize .*\n$/,
  );
  expect(code).toBe(0);
});

test('inspect reports the same for each method', async () => {
  const { stdout } = await toolwright('inspect --json', unbootable);
  const methods = JSON.parse(stdout) as { key: string; diagnostics: { code: string }[] }[];
  const codes = methods.map(({ key, diagnostics }) => [
    key.split('.').at(-1),
    ...diagnostics.map(({ code }) => code),
  ]);
  expect(codes).toContainEqual(['findNotes', 'TW_NAME_INVALID']);
  expect(codes).toContainEqual(['readNote', 'TW_URI_INVALID']);
});
