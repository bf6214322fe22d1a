import { rmSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ListedTool, McpClient } from '@toolwright/client';
import { connectTo } from '../src/remote/connect-to.js';
import { askAllTheTime } from './support/ask-all-the-time.js';
import { DevProcess } from './support/dev-process.js';
import { DevProject } from './support/dev-project.js';

jest.setTimeout(120_000);

let project: DevProject;
let dev: DevProcess;
let url: URL;
let client: McpClient;

beforeEach(() => (project = new DevProject()));

afterEach(async () => {
  await dev.stop('SIGKILL');
  project.remove();
});

async function start(...args: string[]) {
  dev = new DevProcess(project, ...args);
  url = await dev.url();
  client = await connectTo(url, { headers: {} });
}

const toolOf = (tools: ListedTool[], name: string) => tools.find((tool) => tool.name === name);
const find = async () => (await client.call('find_notes', { query: 'milk' })).structuredContent;

/** An official client that counts the notifications that it gets. */
async function listener() {
  let changes = 0;
  let wake: () => void = () => undefined;
  const official = new Client(
    { name: 'referee', version: '1.0.0' },
    {
      listChanged: {
        tools: {
          autoRefresh: false,
          onChanged: () => {
            changes++;
            wake();
          },
        },
      },
    },
  );
  await official.connect(new StreamableHTTPClientTransport(url));
  return {
    official,
    told: (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => (changes >= count ? resolve() : undefined);
        wake();
      }),
  };
}

describe('an edited service is replaced in the running app', () => {
  test('with its description, signature and dependencies, without a failed request', async () => {
    await start();
    const { official, told } = await listener();
    const asking = askAllTheTime(client);
    const pid = await client.callText('take_time', { ms: 0 });
    await client.call('add_note', { text: 'Kept in memory.' });

    project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
    await told(1);
    const described = (await official.listTools()).tools.find(({ name }) => name === 'find_notes');
    expect(described?.description).toBe('Look for notes. Returns their texts.');

    project.edit('src/note-tools.ts', 'limit: integer = 10', '/** @maximum 50 */ limit: integer = 10');
    await told(2);
    expect(toolOf(await client.tools(), 'find_notes')?.inputSchema.properties?.['limit']).toMatchObject({
      maximum: 50,
    });

    project.edit('src/format.ts', '`<${text}>`', '`* ${text}`');
    await dev.says(/replaced NoteTools[^]*replaced NoteTools[^]*replaced NoteTools/);
    expect(await find()).toEqual({ texts: ['* Buy milk.'] });

    // Neither the instances that services share nor the process has changed.
    expect((await client.call('find_notes', { query: 'Kept' })).structuredContent).toEqual({
      texts: ['* Kept in memory.'],
    });
    expect(await client.callText('take_time', { ms: 0 })).toBe(pid);
    expect(await asking.stop()).toBeGreaterThan(0);
    await official.close();
  });

  test('and a running call ends on the version with which it began', async () => {
    await start();
    const running = client.callText('take_time', { ms: 1500 });
    project.edit('src/note-tools.ts', 'return `process', 'return `new process');
    await dev.says(/replaced NoteTools/);
    expect(await client.callText('take_time', { ms: 0 })).toMatch(/^new process/);
    expect(await running).toMatch(/^process/);
  });

  test('and a module that cannot be loaded leaves the old version in place', async () => {
    await start();
    project.edit('src/format.ts', 'export', "if (Date.now() > 0) throw new Error('out of order');\nexport");
    await dev.says(/Error: out of order/);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
    project.edit('src/format.ts', 'Date.now() > 0', 'Date.now() === 0');
    await dev.says(/replaced NoteTools/);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
  });
});

describe('the last good version continues', () => {
  test.each([
    [
      'a syntax error',
      'limit: integer = 10)',
      'limit: integer = )',
      /src\/note-tools\.ts:14:45: error TS1109: .*\n +14 \| .*limit: integer = \).*\n +\| {45}\^/,
    ],
    [
      'a type error',
      'texts.push(',
      'texts.pusch(',
      /src\/note-tools\.ts:26:38: error TS2551: .*\n.*\n +\| {38}\^\n1 error; the last good version continues/,
    ],
    [
      'a signature without a schema',
      'query: string',
      'query: () => void',
      /src\/note-tools\.ts:14:\d+: error TW_SCHEMA_FUNCTION: .*\n +14 \| .*query: \(\) => void/,
    ],
  ])('after %s, which is reported at its place', async (_case, before, after, shown) => {
    await start();
    project.edit('src/note-tools.ts', before, after);
    await dev.says(shown);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
    project.edit('src/note-tools.ts', after, before);
    project.edit('src/format.ts', '<', '[');
    await dev.says(/replaced NoteTools/);
    expect(await find()).toEqual({ texts: ['[Buy milk.>'] });
  });

  test('while a file is missing, until it is back', async () => {
    await start();
    const text = project.read('src/format.ts');
    rmSync(project.path('src/format.ts'));
    await dev.says(/error TS2307: Cannot find module '\.\/format\.js'/);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
    project.write('src/format.ts', text);
    await dev.says(/no errors any more|replaced NoteTools/);
    project.edit('src/format.ts', '<', '[');
    await dev.says(/replaced NoteTools/);
    expect(await find()).toEqual({ texts: ['[Buy milk.>'] });
  });

  test('while the tsconfig cannot be read', async () => {
    await start();
    const text = project.read('tsconfig.json');
    project.write('tsconfig.json', text.slice(0, -1));
    await dev.says(/tsconfig\.json:1:\d+: error TS1005: '}' expected/);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
    project.write('tsconfig.json', text);
    await dev.says(/no errors any more/);
    project.edit('src/format.ts', '<', '[');
    await dev.says(/replaced NoteTools/);
  });

  test('when the entry no longer starts', async () => {
    await start();
    project.edit('src/notes.ts', '/**', "if (Date.now() > 0) throw new Error('no paper');\n/**");
    await dev.says(/Error: no paper[^]*the last good version continues/);
    expect(await find()).toEqual({ texts: ['<Buy milk.>'] });
    project.edit('src/format.ts', '<', '[');
    await dev.says(/the last good version continues/);
    project.edit('src/notes.ts', 'Date.now() > 0', 'Date.now() === 0');
    await dev.says(/restarted/);
    expect(await find()).toEqual({ texts: ['[Buy milk.>'] });
  });
});

describe('the app is restarted, and no connection is refused', () => {
  test('after an edit of a module that its entry uses', async () => {
    await start();
    const asking = askAllTheTime(client);
    const running = client.callText('take_time', { ms: 700 });
    const pid = await client.callText('take_time', { ms: 0 });
    project.edit('src/notes.ts', "'Call Ann.'", "'Call Bob.'");
    await dev.says(/restarted: the entry uses what changed/);
    expect(await running).toBe(pid);
    expect(await client.callText('take_time', { ms: 0 })).not.toBe(pid);
    expect((await client.call('find_notes', { query: 'Bob' })).structuredContent).toEqual({
      texts: ['<Call Bob.>'],
    });
    expect(await asking.stop()).toBeGreaterThan(0);
  });

  test('for a new service in a new file', async () => {
    await start();
    const asking = askAllTheTime(client);
    project.write(
      'src/clock-tools.ts',
      `import { McpService, McpTool } from '@toolwright/core';
       @McpService()
       export class ClockTools {
         /** Tell the hour. Returns it. */
         @McpTool({ name: 'tell_hour', annotations: { readOnlyHint: true } })
         tellHour(): number { return new Date().getHours(); }
       }`,
    );
    const [hint] = await dev.says(/^.*not served.*$/m);
    expect(hint).toMatch(
      /^src\/clock-tools\.ts:\d+:\d+: not served: no server lists ClockTools\. Add it to the services/,
    );
    project.edit(
      'src/create-server.ts',
      'import { NoteTools }',
      "import { ClockTools } from './clock-tools.js';\nimport { NoteTools }",
    );
    project.edit('src/create-server.ts', '[NoteTools]', '[NoteTools, ClockTools]');
    while (!toolOf(await client.tools(), 'tell_hour'))
      await new Promise((resolve) => setTimeout(resolve, 50));
    project.edit('src/clock-tools.ts', 'Tell the hour.', 'Tell what hour it is.');
    await dev.says(/replaced ClockTools/);
    expect(toolOf(await client.tools(), 'tell_hour')?.description).toBe('Tell what hour it is. Returns it.');
    expect(await asking.stop()).toBeGreaterThan(0);
    expect(dev.printed.match(/not served/g)).toHaveLength(1);
  });

  test('even if the app has its own HTTP server and ignores signals', async () => {
    await start('src/mounted.ts');
    const asking = askAllTheTime(client);
    expect(JSON.parse(/address (.*)/.exec(dev.stdout)![1]!)).toMatchObject({ port: Number(url.port) });
    project.edit('src/mounted.ts', 'hello from the app', 'hello again');
    await dev.says(/restarted: it is the entry/);
    expect(await (await fetch(new URL('/hello', url))).text()).toBe('hello again');
    expect(await asking.stop()).toBeGreaterThan(0);
  });
});
