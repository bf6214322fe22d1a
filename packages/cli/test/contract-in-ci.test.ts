import { compilerOptions } from './support/project-folder.js';
import { runIn } from './support/recording-terminal.js';
import { SmallProject } from './support/small-project.js';

/** Two classes have one tool name, for different tenants; the third tool is for everybody. The database is nowhere. */
const tools = `import { type Principal, McpService, McpTool } from '@toolwright/core';

export class Database {
  constructor() { throw new Error('no database'); }
}

@McpService({ for: (principal: Principal | undefined) => principal!.tenant === 'acme' })
export class AcmeTools {
  constructor(readonly database: Database) {}
  /** Exports as CSV. */
  @McpTool({ name: 'export', annotations: { readOnlyHint: true } })
  csv(limit: number): string { return String(limit); }
}

@McpService({ for: (principal: Principal | undefined) => principal?.tenant === 'globex' })
export class GlobexTools {
  /** Exports as XML. */
  @McpTool({ name: 'export', annotations: { readOnlyHint: true } })
  xml(): string { return ''; }
}

@McpService()
export class NoteTools {
  /** Counts notes. */
  @McpTool({ name: 'count_notes', annotations: { readOnlyHint: true } })
  count(): number { return 0; }
}
`;

const main = `import { createMcpServer } from '@toolwright/core';
import { AcmeTools, Database, GlobexTools, NoteTools } from './tools.js';

export const createServer = async () => {
  const server = await createMcpServer({
    name: 'notes',
    version: '1',
    services: [AcmeTools, GlobexTools, NoteTools],
    providers: [{ provide: Database, useValue: {} }],
    toolSearch: true,
  });
  // server.tools.add(nothing)
  server.tools.add({ name: 'late', description: 'Comes late.', handler: () => 'late' });
  return server;
};
`;

const api = (parameters: object[]) => ({
  openapi: '3.0.3',
  info: { title: 'Bills', version: '1' },
  paths: {
    '/bills': {
      get: {
        operationId: 'listBills',
        summary: 'List bills.',
        parameters,
        responses: {
          200: { description: 'The bills.', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  },
});

const since = { name: 'since', in: 'query', schema: { type: 'string' } };

let project: SmallProject;

beforeAll(() => {
  project = new SmallProject({
    'package.json': {
      name: 'notes',
      toolwright: { lock: { openapi: [{ spec: 'bills.json', prefix: 'billing_' }] } },
    },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'bills.json': api([since]),
    'src/tools.ts': tools,
    'src/main.ts': main,
  });
  project.install({
    '@toolwright/openapi': 'packages/openapi',
    '@toolwright/search': 'packages/search',
  });
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
});

afterAll(() => project.remove());

const toolwright = (...words: string[]) => runIn(project.folder, ...words);
const locked = () => JSON.parse(project.read('mcp.lock.json'));

test('a lock without the app has the tools of all audiences and of specifications, and says what it lacks', async () => {
  const { status, stdout, stderr } = await toolwright('lock');
  expect([status, stdout]).toEqual([0, 'mcp.lock.json: 2 tools, 2 tools for some callers\n']);
  expect(stderr).toBe('Not looked at: src/main.ts:13 adds operations at run time: add --app <file>.\n');
  expect(locked()).toMatchObject({
    tools: { count_notes: {}, billing_list_bills: { inputSchema: { properties: { since: {} } } } },
    forOthers: {
      'export (AcmeTools)': { description: 'Exports as CSV.' },
      'export (GlobexTools)': { description: 'Exports as XML.' },
    },
    notLookedAt: ['src/main.ts:13 adds operations at run time: add --app <file>'],
  });
  expect(await toolwright('diff')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
});

test('a report for a pull request says first what breaks whom, also of one audience', async () => {
  project.write('src/tools.ts', tools.replace('csv(limit: number)', 'csv(limit: number, unit: string)'));
  project.write('bills.json', JSON.stringify(api([{ ...since, required: true }])));
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  const { status, stdout, stderr } = await toolwright('diff', '--format', 'markdown');
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout).toContain('**2 changes break callers** of 2 operations.');
  expect(stdout).toMatch(
    /- `export \(AcmeTools\)` at `\/input\/properties\/unit`: .*\n {2}Breaks callers that send/,
  );
  expect(stdout).toMatch(/- `billing_list_bills` at `\/input\/properties\/since`/);
  expect(stdout).toContain('### Not looked at (1)\n\n- `src/main.ts:13');
});

describe('functions that say whom a class is for', () => {
  const change = (text: string) => {
    project.write('src/tools.ts', text);
    expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  };
  const acme = `(principal: Principal | undefined) => principal!.tenant === 'acme'`;
  const globex = `(principal: Principal | undefined) => principal?.tenant === 'globex'`;
  const exchanged = tools.replace(acme, '<>').replace(globex, acme).replace('<>', globex);

  beforeAll(async () => {
    project.write('bills.json', JSON.stringify(api([since])));
    change(tools);
    await toolwright('lock');
  });

  test('are in the lock, and exchanging them breaks the callers of both', async () => {
    expect(locked().forOthers['export (AcmeTools)'].for).toBe("(principal) => principal.tenant === 'acme'");
    change(exchanged);
    const { status, stdout } = await toolwright('diff');
    expect([status, stdout.match(/^breaking +export \((?:Acme|Globex)Tools\)\/for +for changed$/gm)]).toEqual(
      [1, [expect.any(String), expect.any(String)]],
    );
    expect((await toolwright('diff', '--format', 'markdown')).stdout).toContain(
      'Breaks callers whom the function no longer lets in.',
    );
  });

  test('show that a class has another name, which breaks nobody', async () => {
    const renamed = `${tools.replaceAll('AcmeTools', 'AcmeExports')}export { AcmeExports as AcmeTools };\n`;
    change(renamed);
    expect(await toolwright('diff')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
    change(renamed.replace('csv(limit: number)', 'csv(limit: boolean)'));
    const { status, stdout } = await toolwright('diff');
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^breaking +export \(AcmeTools\)\/input\/properties\/limit/),
    ]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  test('have budgets of tokens for their tools, by the name that callers see', async () => {
    expect(Object.keys(locked().tokens.tools)).toContain('export (AcmeTools)');
    const grown = tools.replace('Exports as CSV.', `Exports as CSV. ${'Much to read about it. '.repeat(60)}`);
    change(grown);
    const { status, stdout } = await toolwright('diff');
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/budget +export \(AcmeTools\)\/tokens +takes/),
    ]);
    const packed = JSON.parse(project.read('package.json'));
    const settings = (tokens: object) =>
      project.write(
        'package.json',
        JSON.stringify({ ...packed, toolwright: { ...packed.toolwright, tokens } }),
      );
    settings({ tools: { export: 1_000 } });
    expect((await toolwright('diff')).status).toBe(0);
    settings({ tools: { export: 10 } });
    expect((await toolwright('diff')).stdout).toContain('10 are allowed (package.json)');
    project.write('package.json', JSON.stringify(packed));
  });

  test('may use what is elsewhere, and then the lock says of which class', async () => {
    const factory = `const ofTenant = (tenant: string) => (principal: Principal | undefined) => principal?.tenant === tenant;\n`;
    const made = (first: string, second: string) =>
      tools
        .replace(acme, `ofTenant('${first}')`)
        .replace(globex, `ofTenant('${second}')`)
        .replace('@McpService', `${factory}@McpService`);
    change(made('acme', 'globex'));
    expect((await toolwright('lock')).stderr).toContain(
      'Not looked at: AcmeTools: its function for uses tenant, at which nobody has looked.\n' +
        'Not looked at: GlobexTools: its function for uses tenant, at which nobody has looked.\n',
    );
    expect(locked().notLookedAt).toHaveLength(3);
    expect(locked().forOthers['export (AcmeTools)'].for).toBe(
      "ofTenant('acme'): (principal) => principal?.tenant === tenant",
    );
    change(made('globex', 'acme'));
    const { status, stdout } = await toolwright('diff');
    expect([status, stdout.match(/\/for +for changed$/gm)]).toEqual([1, Array(2).fill(expect.any(String))]);
    change(tools);
  });
});

test('diff refuses what it would not do', async () => {
  expect(await toolwright('diff', '--json', '--format', 'markdown')).toMatchObject({
    status: 2,
    stderr: 'error: --json and --format markdown contradict each other.\n',
  });
  expect(await toolwright('diff', '--tenant', 'acme', '--lock', 'none.json')).toMatchObject({
    status: 2,
    stderr: 'error: --tenant is for the server of an app: add --app dist/main.js.\n',
  });
  const ofUrl = ['--url', 'http://127.0.0.1:9/mcp', '--tenant', 'acme'];
  expect(await toolwright('diff', ...ofUrl)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('A running server knows the tenant from the token'),
  });
  for (const words of [
    ['diff', '--lock', 'src'],
    ['lock', '--out', 'src'],
  ])
    expect(await toolwright(...words)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: \S+src is not a file that can be read/),
    });
});

test('with the app, the tools that a search hides are in the lock, too', async () => {
  expect(await toolwright('build')).toMatchObject({ status: 0 });
  expect(await toolwright('lock', '--app', 'dist/main.js')).toMatchObject({ status: 0, stderr: '' });
  const { tools: all, forOthers, notLookedAt } = locked();
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining(['call_tool', 'count_notes', 'late', 'search_tools']),
  );
  expect(Object.keys(forOthers)).toEqual(['export (AcmeTools)', 'export (GlobexTools)']);
  expect(notLookedAt).toBeUndefined();
});

test.each([
  [{ lock: 1 }, 'an object with openapi'],
  [{ lock: { mounts: [] } }, '"mounts" is no setting'],
  [{ lock: { openapi: [{ file: 'x' }] } }, 'the path "spec"'],
  [{ lock: { openapi: [{ spec: 'bills.json', baseUrl: 'x' }] } }, '"baseUrl" does not change'],
  [{ lock: { openapi: [{ spec: 'none.json' }] } }, 'there is no none.json'],
])('settings that cannot be read are one line: %j', async (settings, said) => {
  project.write('package.json', JSON.stringify({ name: 'notes', toolwright: settings }));
  const { status, stderr } = await toolwright('lock');
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(said);
});
