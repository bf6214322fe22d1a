import {
  Confirm,
  createMcpServer,
  MaxOutput,
  McpService,
  McpTool,
  type McpServer,
  type Principal,
  RequireScopes,
} from '@toolwright/core';
import { connect } from '@toolwright/testing';
import ts from 'typescript';
import { silentLogger } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { problemsOf } from '../../core/test/support/booting.js';
import { buildStep } from '../src/build-step.js';

type Definition = Parameters<McpServer['tools']['add']>[0];

const options = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  types: [],
  lib: ['lib.es2022.d.ts'],
};
const host = ts.createCompilerHost(options);
const read = host.getSourceFile.bind(host);
const files = new Map<string, ts.SourceFile | undefined>();

/** Texts of types that do not compile. The types of the language are read once. */
function mistakesIn(text: string): string[] {
  files.set('it.ts', ts.createSourceFile('it.ts', text, ts.ScriptTarget.ES2022));
  host.getSourceFile = (name, target) => {
    if (!files.has(name)) files.set(name, read(name, target));
    return files.get(name);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram(['it.ts'], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const gives = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
const tool = (name: string, more: Partial<Definition> = {}): Definition => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  handler: () => name,
  ...more,
});

const circle = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/promise' }, all: { $ref: '#' } },
  $defs: {
    promise: {
      type: 'object',
      properties: { next: { $ref: '#/$defs/promise' }, data: { $ref: '#/$defs/Event' } },
    },
    Event: { type: 'object', properties: { 'ключ-1': { $ref: '#/$defs/größe' } } },
    größe: { enum: ['a', null, 1] },
  },
} as const;

const odd: Definition[] = [
  ...[
    'say-it',
    'a.b',
    '1st',
    'constructor',
    '__proto__',
    'toString',
    'delete',
    'await',
    'class',
    'hasOwnProperty',
    'x_Y-z.9',
  ].map((name) => tool(name)),
  tool('circles', { inputSchema: circle, outputSchema: circle, handler: () => ({ id: 'c' }) }),
  tool('other_circles', {
    inputSchema: { ...circle, $defs: { ...circle.$defs, größe: { type: 'string' } } },
  }),
  tool('comment', {
    description: 'Ends */ here.\n@ts-ignore it',
    inputSchema: {
      type: 'object',
      properties: { 'a*/b': { type: 'string', description: 'x */ y' }, ['__proto__']: { type: 'string' } },
      required: ['a*/b'],
    },
  }),
  tool('list_it', { outputSchema: { type: 'array', items: gives }, handler: () => [{ id: '1' }] }),
  tool('old', { deprecated: 'It is slow.', replacedBy: 'list_it' }),
];

const open = closedAfterEach<McpServer>();

async function serve(tools: readonly Definition[], options: object = {}, principal?: Principal) {
  const server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    codeMode: true,
    ...options,
  });
  open.push(server);
  server.tools.add(tools);
  return { server, ...(await look(server, principal)) };
}

async function look(server: McpServer, principal?: Principal) {
  const client = await connect(server, principal ? { principal } : {});
  const listed = async () => (await client.tools()).map(({ name }) => name);
  const described = async () => (await client.tools()).find(({ name }) => name === 'run_code')!;
  const text = async () => /```ts\n([^]*)```/.exec((await described()).description!)?.[1] ?? '';
  const declared = async () => [...(await text()).matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.call(name, args)) as unknown as Answer;
  return { listed, described, text, declared, call };
}

interface Answer {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: { result: unknown; tools: { name: string; declaration: string }[]; declaration: string };
}

test('tools with odd names and circles of types are declared, compile, and are called by these names', async () => {
  const { text, call } = await serve(odd);
  const uses = `
    const one: Promise<string | Content[]> = tools['say-it']();
    const two: Promise<{ id: string }[]> = tools.list_it();
    // @ts-expect-error: the argument is missing
    void tools.comment();`;
  expect(mistakesIn((await text()) + uses)).toEqual([]);
  expect(await text()).toContain('@deprecated It is slow. Use list_it.');
  const names = ['say-it', 'constructor', '__proto__', 'toString', 'await', '1st'];
  const code = `return Promise.all(${JSON.stringify(names)}.map((name) => tools[name]()))`;
  expect((await call('run_code', { code })).structuredContent).toEqual({ result: names });
});

const large = tool('large', { description: 'x'.repeat(9_000) });

test('what is pinned is declared first, then the list in its order, as far as the budget goes', async () => {
  const tools = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tool(name));
  const options = { codeMode: { declarations: 80 }, toolSearch: { pinned: ['e', 'large'] } };
  const { declared, described, listed } = await serve([tools[0]!, large, ...tools.slice(1)], options);
  expect(await declared()).toEqual(['e', 'a']);
  expect((await described()).description).toContain('5 more: find them with search_tools.');
  expect(await listed()).toEqual(['run_code', 'search_tools', 'describe_tool', 'large', 'e']);
  expect(await (await serve(tools, { codeMode: { declarations: 0 } })).text()).toBe('');
});

test('the description does not change with use, and a tool that comes or goes changes it', async () => {
  const { server, described, call } = await serve([tool('a'), tool('b', { group: 'g' })]);
  const before = await described();
  await call('run_code', { code: 'return tools.b()' });
  await call('load_group', { group: 'g' });
  await call('search_tools', { query: 'does' });
  expect(await described()).toEqual(before);
  server.tools.add(tool('c'));
  const after = await described();
  expect(after.description).toContain('c()');
  server.tools.remove('c');
  expect(await described()).toEqual(before);
});

test('beyond it, answers of the search have declarations, and only for what a program may call', async () => {
  const note = tool('note', { description: 'Note it.', annotations: { readOnlyHint: true } });
  const { call, described } = await serve([note, tool('drop', { description: 'Drop it.' })], {
    codeMode: { declarations: 0, only: 'readOnly' },
  });
  const { structuredContent } = await call('search_tools', { query: 'note it' });
  const [found] = structuredContent.tools;
  expect(mistakesIn(found!.declaration)).toEqual([]);
  expect(found).toMatchObject({
    name: 'note',
    inputSchema: {},
    declaration: expect.stringContaining('note(): Promise<string | Content[]>;'),
  });
  expect((await call('describe_tool', { name: 'note' })).structuredContent.declaration).toBe(
    found!.declaration,
  );
  expect((await call('describe_tool', { name: 'drop' })).structuredContent.declaration).toBeUndefined();
  expect((await call('run_code', { code: 'return tools.drop()' })).content[0]!.text).toContain(
    'programs of this server only read',
  );
  expect((await described()).annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
});

test('programs see no argument that only clients use: no program confirms itself, and its results are not cut', async () => {
  const drop = tool('drop', {
    description: 'Drop it.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
    policies: [Confirm.entry('Drop it?', { fallback: 'argument' }), MaxOutput.entry({ tokens: 100 })],
  });
  const own = tool('own', { inputSchema: { type: 'object', properties: { cursor: { type: 'string' } } } });
  const { call, described } = await serve([drop, own]);
  const { structuredContent: all } = await call('run_code', {
    code: `return [await tools.describe_tool({ name: 'drop' }), await tools.search_tools({ query: 'drop it' }), await tools.describe_tool({ name: 'own' })]`,
  });
  const [drops, found, owns] = all.result as any[];
  expect((await described()).description).toMatch(/drop\(args\?: \{\s+id\?: string;\s+\}\)/);
  expect(Object.keys(drops.inputSchema.properties)).toEqual(['id']);
  expect(JSON.stringify([drops, found, (await described()).description])).not.toMatch(/confirmed/);
  expect(drops.declaration).not.toMatch(/cursor/);
  expect(owns.declaration).toMatch(/cursor/);
  // The client itself may confirm, and read on.
  const { structuredContent: outside } = await call('describe_tool', { name: 'drop' });
  expect(Object.keys((outside as any).inputSchema.properties)).toEqual(['id', 'confirmed', 'cursor']);
  expect((outside as any).declaration).toBe(drops.declaration);
});

const scoped = (scope: string) => ({ policies: [RequireScopes.entry(scope)] });
const who = (...scopes: string[]): Principal =>
  ({ subject: 'ann', scopes, claims: {}, issuer: 'i' }) as never;

test('callers differ as far as their rights do, in declarations and in hints', async () => {
  const reads = { annotations: { readOnlyHint: true, openWorldHint: false } };
  const tools = [tool('a', reads), tool('b', scoped('admin'))];
  const { server } = await serve(tools);
  const [user, admin, other] = [
    await look(server, who('x')),
    await look(server, who('admin')),
    await look(server),
  ];
  expect(await user.declared()).toEqual(['a']);
  expect(await admin.declared()).toEqual(['a', 'b']);
  expect(await other.described()).toEqual(await user.described());
  expect((await user.described()).annotations).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
    openWorldHint: false,
  });
  expect((await admin.described()).annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: true,
  });
});

test('with list: all, the rest stays in the list, and call_tool does not', async () => {
  const { listed, call } = await serve([tool('a'), tool('b')], {
    codeMode: { list: 'all' },
    toolSearch: { above: 10_000 },
  });
  expect(await listed()).toEqual(['run_code', 'search_tools', 'describe_tool', 'a', 'b']);
  expect((await call('a', {})).content[0]!.text).toBe('a');
  const refused = await call('call_tool', { name: 'run_code', arguments: { code: '1' } });
  expect(refused.content[0]!.text).toContain('Call run_code by its own name');
});

test('a tool named run_code is refused, and the text says from where the other one is', async () => {
  const { server } = await serve([]);
  expect(() => server.tools.add(tool('run_code'))).toThrow('One of them is from @toolwright/code');
});

@McpService()
class Shelter {
  /** Adopt a dog. */
  @McpTool({ annotations: { destructiveHint: false } }) adoptDog() {}
}
@McpService()
class Taken {
  @McpTool({ name: 'run_code' }) runCode() {}
}
const manifest = handMadeManifest({ file: 'src/shelter.ts', name: 'Shelter', methods: { adoptDog: [] } });
manifest.entries[0]!.description = 'Adopt a dog.';

test('a build counts the tokens of declarations, and these count for the budget', async () => {
  const built = buildStep.manifest!({ root: process.cwd(), manifest });
  const { key } = manifest.entries[0]!;
  expect(built).toEqual({ tokens: { [key]: expect.any(Number) } });
  const declared = async (extension: unknown) => {
    const extensions = { '@toolwright/code': extension };
    return (await serve([], { services: [Shelter], manifest: { ...manifest, extensions } })).declared();
  };
  expect(await declared(built)).toEqual(['adoptDog']);
  expect(await declared({ tokens: { [key]: 2_001 } })).toEqual([]);
});

test('a decorated tool named run_code keeps the server from starting', async () => {
  const taken = handMadeManifest({ file: 'src/taken.ts', name: 'Taken', methods: { runCode: [] } });
  const problems = await problemsOf({ services: [Taken], manifest: taken, codeMode: true });
  expect(problems).toMatchObject([
    { code: 'TW_NAME_DUPLICATE', message: expect.stringContaining('One of them is from @toolwright/code') },
  ]);
});

test('a tool that lists show as locked says which scope it needs, and one that is hidden is unknown', async () => {
  const code = `return tools.b().catch(({ message }) => message)`;
  const { server } = await serve([tool('b', scoped('admin'))], { lockedTools: 'listed' });
  const { call, declared } = await look(server, who('x'));
  expect(await declared()).toEqual(['b']);
  expect((await call('run_code', { code })).structuredContent.result).toContain('This needs the scope admin');
  const hidden = await serve([tool('b', scoped('admin'))], {}, who('x'));
  expect((await hidden.call('run_code', { code })).structuredContent.result).toBe(
    'Unknown tool: "b". Find the name with search_tools.',
  );
});
