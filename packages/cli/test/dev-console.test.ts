import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ConsolePage } from './support/console-page.js';
import { DevProject } from './support/dev-project.js';
import { DevSession } from './support/dev-session.js';
import { programs } from './support/project-folder.js';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(...args: string[]) {
  const session = await DevSession.start(...args);
  const [, address] = /^console: (http:\/\/127\.0\.0\.1:\d+\/\S*)$/m.exec(session.dev.printed)!;
  return { ...session, session, page: await ConsolePage.open(address!), address: address! };
}

/** It ends with the test. */
async function start(...args: string[]) {
  const opened = await open(...args);
  ends.push(() => opened.session.end());
  return opened;
}

describe('the console of dev', () => {
  // A dev takes seconds to start. So two tests share one, in this order.
  let shared: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => void (shared = await open()));
  afterAll(() => shared.session.end());

  test('answers what only the project knows', async () => {
    const { project, page } = shared;
    const { stdout } = project.toolwright('lock');
    expect(stdout).toContain('mcp.lock.json');
    const contract = await page.ask('contract', { server: 'desk' });
    expect(contract).toMatchObject({ problems: [], changes: [], lockFile: 'mcp.lock.json' });
    expect(contract.lintProblems.map(({ code }) => code)).toContain('number-unbounded');
    expect(contract.tokens.tools.map(({ name }) => name)).toContain('add_note');
    expect(contract.tokens.total).toBeGreaterThan(0);

    const { operations } = await page.ask('surface', { server: 'desk' });
    const { location } = await page.ask('explain', { server: 'desk', tool: 'add_note' });
    expect(location).toMatch(/^src\/note-tools\.ts:\d+:\d+$/);
    expect(operations.find(({ key }) => key === 'add_note')).toMatchObject({
      location,
      tokens: contract.tokens.tools.find(({ name }) => name === 'add_note')!.tokens,
    });

    // As if the lock were from a time when there was more.
    const lock = JSON.parse(project.read('mcp.lock.json')) as object;
    project.write(
      'mcp.lock.json',
      JSON.stringify({
        ...lock,
        prompts: { greet: {} },
        resources: { 'notes://all': {} },
        resourceTemplates: { 'notes://{id}': {} },
        packages: { '@example/units': { tools: ['add_note'] } },
      }),
    );
    const built = page.hears('build');
    project.edit('src/note-tools.ts', 'limit: integer = 10', '/** @maximum 50 */ limit: integer = 10');
    await built;
    const { changes } = await page.ask('contract', { server: 'desk' });
    expect(changes).toEqual([
      {
        tool: 'find_notes',
        operation: { kind: 'tool', key: 'find_notes' },
        kind: 'breaking',
        message: expect.stringContaining('maximum') as string,
      },
      ...(
        [
          ['prompt', 'greet', 'prompt greet'],
          ['resource', 'notes://all', 'resource notes://all'],
          ['resourceTemplate', 'notes://{id}', 'template notes://{id}'],
        ] as const
      ).map(([kind, key, tool]) => ({
        tool,
        operation: { kind, key },
        kind: 'breaking',
        message: expect.stringContaining('was removed') as string,
      })),
      { tool: '@example/units', kind: 'text', message: 'tools: tools changed' },
    ]);
    const origins = await page.ask('origins', { server: 'desk', tool: 'find_notes' });
    expect(origins).toContainEqual({
      pointer: '/input/properties/limit/maximum',
      origin: '@maximum',
      location: expect.stringMatching(/^src\/note-tools\.ts:\d+:\d+$/) as string,
    });

    const broken = page.hears('build', ({ problems }) => problems.length > 0);
    project.edit('src/note-tools.ts', 'limit: integer = 10', 'limit: integer = "ten"');
    expect((await broken).problems).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        code: 'TS2322',
        location: expect.stringMatching(/^src\/note-tools\.ts:/) as string,
      }),
    );
    await expect(page.ask('openSource', { location: '../../../etc/passwd:1:1' })).rejects.toThrow(
      'is no file of this workspace',
    );

    const repaired = page.hears('build', ({ problems }) => problems.length === 0);
    project.edit('src/note-tools.ts', 'limit: integer = "ten"', 'limit: integer = 10');
    await repaired;
  });

  test('shows the app, and what clients asked of it, through edits and restarts', async () => {
    const { project, dev, url, client, page, session } = shared;
    const first = await page.ask('overview', {});
    expect(first).toMatchObject({
      app: 'running',
      endpoint: url.href,
      servers: [{ id: 'desk', name: 'desk' }],
      access: ['read', 'call', 'change', 'project'],
    });
    expect(first.command).toBeUndefined();

    await client.call('find_notes', { query: 'milk' });
    const { operations } = await page.ask('surface', { server: 'desk' });
    expect(operations.map(({ key }) => key)).toContain('find_notes');

    const swapped = page.hears('surface', ({ server }) => server === 'desk');
    const built = page.hears('build');
    project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
    await swapped;
    expect(await built).toMatchObject({ problems: [] });

    const back = page.hears('overview', ({ overview }) => overview.app === 'running');
    const gone = page.hears('overview', ({ overview }) => overview.app === 'restarting');
    project.edit('src/notes.ts', 'Call Ann.', 'Call Bob.');
    await gone;
    // The question comes while there is no app, and waits for the next one.
    const { operations: now } = await page.ask('surface', { server: 'desk' });
    expect(now.find(({ key }) => key === 'find_notes')?.description).toMatch(/^Look for notes/);
    await back;
    await session.find('Bob');
    const calls = await page.ask('calls', {});
    const runs = calls.filter(({ record }) => record.name === 'find_notes').map(({ record }) => record.run);
    expect([...new Set(runs)]).toEqual([1, 2]);

    project.write('src/notes.ts', 'process.exit(3);');
    await dev.says(/The app does not start|the last good version continues/);
  });

  test('says what has failed while dev goes on: a constructor, and a module', async () => {
    const { project, dev, page, session } = await start();
    const shows = async (fits: (failure: string) => boolean): Promise<string> => {
      const heard = page.hears('overview', ({ overview }) => fits(overview.failure ?? ''));
      // It may have been told before the page listened.
      const { failure = '' } = await page.ask('overview', {});
      return fits(failure) ? failure : ((await heard).overview.failure ?? '');
    };
    const well = () => shows((failure) => failure === '');

    const tools = 'src/note-tools.ts';
    project.edit(tools, 'export class NoteTools {', "export class NoteTools {\n  ink = pour('out of ink');");
    const pour = 'const pour = (text: string): string => { throw new Error(text); };';
    project.write(tools, `${pour}\n${project.read(tools)}`);
    expect(await shows((failure) => failure.includes('out of ink'))).toMatch(
      /Cause: Error: out of ink[^]*note-tools\.ts:\d+:\d+/,
    );
    expect(await session.find()).toBeDefined();
    project.edit(tools, '{ throw new Error(text); }', 'text');
    await well();

    // The entry uses this module, so the app has to start again.
    project.edit('src/notes.ts', '/**', "if (Date.now() > 0) throw new Error('no paper');\n/**");
    expect(await shows((failure) => failure.includes('no paper'))).toMatch(/notes\.ts:\d+:\d+/);
    await dev.says(/last good version continues/);
    expect(await session.find()).toBeDefined();
    expect(await page.ask('overview', {})).toMatchObject({
      app: 'running',
      failure: expect.stringContaining('no paper') as string,
    });
  });

  test('is printed on standard error, and never into the protocol of an app on standard input', async () => {
    const project = new DevProject();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programs.toolwright, 'dev', 'src/stdio.ts'],
      cwd: project.folder,
      stderr: 'pipe',
    });
    const client = new Client({ name: 'host', version: '1.0.0' });
    ends.push(async () => {
      await client.close();
      project.remove();
    });
    let printed = '';
    transport.stderr!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await client.connect(transport);
    const page = await ConsolePage.open(/^console: (\S+)$/m.exec(printed)![1]!);
    await client.callTool({ name: 'find_notes', arguments: { query: 'milk' } });
    let overview = await page.ask('overview', {});
    if (!overview.command)
      ({ overview } = await page.hears('overview', (event) => event.overview.command !== undefined));
    expect(overview.command).toEqual({ program: 'node', args: [project.path('dist/stdio.js')] });
    const calls = await page.ask('calls', {});
    expect(calls.map(({ record }) => record.transport)).toContain('stdio');
  });
});

describe('dev does without the console', () => {
  test('with --no-console', async () => {
    const session = await DevSession.start('--no-console');
    ends.push(() => session.end());
    expect(session.dev.printed).not.toContain('console:');
    expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
  });

  test('and takes another port when the wanted one is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    ends.push(() => new Promise((closed) => taken.close(closed)));
    const { port } = taken.address() as AddressInfo;
    const { page } = await start('--console-port', String(port));
    expect(Number(page.home.port)).not.toBe(port);
    expect(await page.ask('overview', {})).toMatchObject({ app: 'running' });
  });

  test('and refuses what is no port', async () => {
    const child = spawn(process.execPath, [programs.toolwright, 'dev', '--console-port', '80x'], {
      stdio: 'pipe',
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(2);
  });
});
