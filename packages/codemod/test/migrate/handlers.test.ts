import { classOf, migrate, serverWith } from './migrate-source.js';

/** The new method, from its name on. */
function methodFor(input: string, handler: string, before = ''): string {
  const { text, notes } = migrate(serverWith(input, handler, before));
  const source = classOf(text());
  if (notes.some((note) => note.includes('tool "'))) return notes.find((note) => note.includes('tool "'))!;
  return source.slice(source.search(/(async )?tryIt\(/)).replace(/\n\}\n$/, '');
}

const input = '{ path: z.string(), depth: z.number().default(2) }';

test('args.name becomes a parameter', () => {
  expect(
    methodFor(
      input,
      "async (args) => {\n    const found = await look(args.path, args.depth);\n    return { content: [{ type: 'text', text: found }] };\n  }",
    ),
  ).toBe(`async tryIt(path: string, depth = 2) {
    const found = await look(path, depth);
    return text(found);
  }`);
});

test('the arguments stay one object if a name of theirs means something else in the body', () => {
  expect(
    methodFor(
      input,
      "async (args) => {\n    return { content: [{ type: 'text', text: path.join(args.path, args.depth) }] };\n  }",
      "import path from 'node:path';",
    ),
  ).toBe(`async tryIt(input: TryItArgs) {
    const args = { depth: 2, ...input };
    return text(path.join(args.path, args.depth));
  }`);
});

test('the arguments stay one object if they are used as a whole or taken apart', () => {
  expect(
    methodFor(
      '{ a: z.string() }',
      "(args) => ({ content: [{ type: 'text' as const, text: JSON.stringify(args) }] })",
    ),
  ).toBe(
    `tryIt(args: TryItArgs) {
    return text(JSON.stringify(args));
  }`,
  );
  expect(
    methodFor(
      '{ a: z.string() }',
      "({ a: b, ...rest }) => ({ content: [{ type: 'text', text: b + rest }] })",
    ),
  ).toBe(
    `tryIt(input: TryItArgs) {
    const { a: b, ...rest } = input;
    return text(b + rest);
  }`,
  );
});

test('parsing the arguments again is left out', () => {
  const before = 'const Input = z.object({ a: z.string() });';
  expect(
    methodFor(
      'Input',
      "async (args) => {\n    const { a } = Input.parse(args);\n    return { content: [{ type: 'text', text: a }] };\n  }",
      before,
    ),
  ).toBe(
    `async tryIt(args: TryItArgs) {
    const { a } = args;
    return text(a);
  }`,
  );
});

test('an error result becomes a ToolError, except where the method would catch it', () => {
  const plain = "{ content: [{ type: 'text', text: 'no' }], isError: true }";
  const good = "{ content: [{ type: 'text', text: a }] }";
  expect(
    methodFor('{ a: z.string() }', `({ a }) => {\n    if (!a) return ${plain};\n    return ${good};\n  }`),
  ).toBe(
    `tryIt(a: string) {
    if (!a) throw new ToolError('no');
    return text(a);
  }`,
  );
  expect(
    methodFor(
      '{ a: z.string() }',
      `({ a }) => {\n    try { if (!a) return ${plain}; return ${good}; } catch { throw new Error('x'); }\n  }`,
    ),
  ).toBe(
    `tryIt(a: string): ToolResult {
    try { if (!a) return ${plain}; return ${good}; } catch { throw new ToolError('x'); }
  }`,
  );
});

test('an error result that no return can leave stays, with the types of the protocol', () => {
  const { text } = migrate(
    serverWith(
      '{}',
      "async () => {\n    return { content: [{ type: 'text', text: 'no' }], isError: true };\n  }",
    ),
  );
  expect(text()).toContain(
    "async tryIt(): Promise<ToolResult> {\n    return { content: [{ type: 'text', text: 'no' }], isError: true };",
  );
});

test('the context of version 1 and of version 2 becomes ctx', () => {
  expect(
    methodFor(
      '{ a: z.string() }',
      `async ({ a }, extra) => {
    const token = extra._meta?.progressToken;
    for (let i = 1; i <= 3; i++) {
      extra.signal.throwIfAborted();
      if (token !== undefined) {
        await extra.sendNotification({
          method: 'notifications/progress',
          params: { progressToken: token, progress: i, total: 3 },
        });
      }
    }
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: a } });
    return { content: [{ type: 'text', text: extra.sessionId ?? a }] };
  }`,
    ),
  ).toBe(`async tryIt(a: string, ctx: ToolContext) {
    for (let i = 1; i <= 3; i++) {
      ctx.signal.throwIfAborted();
      await ctx.progress(i, 3);
    }
    await ctx.log.info(a);
    return text(ctx.sessionId ?? a);
  }`);
  expect(
    methodFor(
      '{ a: z.string().optional() }',
      "async ({ a }, ctx) => {\n    await ctx.mcpReq.log('debug', a);\n    await load(ctx.mcpReq.signal);\n    return { content: [{ type: 'text', text: '' }] };\n  }",
    ),
  ).toBe(`async tryIt(ctx: ToolContext, a?: string) {
    await ctx.log.debug(a);
    await load(ctx.signal);
    return text('');
  }`);
});

test('a handler that is a function stays one', () => {
  const before = `const Input = z.object({ a: z.string(), b: z.number().default(1) });
async function run(args: z.infer<typeof Input>) {
  return { content: [{ type: 'text' as const, text: args.a }] };
}`;
  expect(methodFor('Input', 'run', before)).toBe(`tryIt(input: TryItArgs) {
    return run({ b: 1, ...input });
  }`);
});

test('texts over several lines keep their margins', () => {
  expect(
    methodFor('{}', "async () => {\n      return { content: [{ type: 'text', text: `a\n  b\n` }] };\n    }"),
  ).toBe('async tryIt() {\n    return text(`a\n  b\n`);\n  }');
});

test.each([
  [
    'an unknown use of the context',
    'async (_a, extra) => extra.sendRequest({})',
    'The handler uses "sendRequest" of the SDK\'s context.',
  ],
  [
    'the server',
    'async () => { server.sendToolListChanged(); return { content: [] }; }',
    'The handler uses the server of the SDK.',
  ],
  ['this', 'function (this: any) { return this.x; }', 'The handler uses "this".'],
  ['a generator', 'async function* () { yield 1; }', 'The handler is a generator.'],
  ['a function from elsewhere', 'makeHandler()', 'The handler is not a function that is written out here.'],
  [
    'arguments without a schema',
    'async (args) => ({ content: args })',
    'The handler uses arguments that no schema names.',
  ],
])('%s is left alone', (_case, handler, reason) => {
  const { text, notes } = migrate(serverWith('{}', handler));
  expect(text()).toBe('(unchanged)');
  expect(notes).toEqual([expect.stringContaining(`tool "try_it": ${reason}`)]);
});

test('a local variable of the function around it leaves a handler alone', () => {
  const { notes } = migrate(`import { McpServer } from '@modelcontextprotocol/server';
export function register(server: McpServer) {
  const store = new Map<string, string>();
  server.registerTool('get', {}, async () => ({ content: [{ type: 'text', text: store.get('a') }] }));
}
`);
  expect(notes).toEqual([
    'src/notes.ts:4:81: tool "get": The handler uses "store", which belongs to the function around it. ' +
      'Move "store" to the module, or write the class by hand and take it in the constructor (docs/dependency-injection.md).',
  ]);
});

test('errors of functions that a method calls are named, because the model no longer reads them', () => {
  const { notes } = migrate(
    serverWith(
      '{}',
      'async () => ({ content: [{ type: "text", text: await store.load() }] })',
      `import { store } from './store.js';`,
    ),
    {
      'src/store.ts': `class Store {
  load() {
    return find();
  }
  other() {
    throw new Error('never called');
  }
}
function find(): string {
  try {
    throw new Error('caught');
  } catch {
    throw new Error('not found');
  }
}
export const store = new Store();
`,
    },
  );
  expect(notes.filter((note) => note.includes(': error: '))).toEqual([
    expect.stringContaining('src/store.ts:13:5: error: The model no longer reads its text'),
  ]);
});
