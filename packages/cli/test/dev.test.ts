import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ListedTool } from '@toolwright/client';
import { askAllTheTime } from './support/ask-all-the-time.js';
import { DevSession } from './support/dev-session.js';

// A dev takes seconds to start. So the tests share one, in this order, until one needs another entry.
let session: DevSession;

const start = async (...args: string[]) => (session = await DevSession.start(...args));

beforeAll(() => start());
afterAll(() => session.end());

const toolOf = (tools: ListedTool[], name: string) => tools.find((tool) => tool.name === name);

/** An official client that counts the notifications that it gets. */
async function listener(url: URL) {
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
    heard: (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => (changes >= count ? resolve() : undefined);
        wake();
      }),
  };
}

describe('an edited service is replaced in the running app', () => {
  test('with its description, signature and dependencies, without a failed request', async () => {
    const { project, dev, url, client } = session;
    const { official, heard } = await listener(url);
    const asking = askAllTheTime(client);
    const pid = await client.callText('take_time', { ms: 0 });
    await client.call('add_note', { text: 'Kept in memory.' });

    project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
    await heard(1);
    const described = (await official.listTools()).tools.find(({ name }) => name === 'find_notes');
    expect(described?.description).toBe('Look for notes. Returns their texts.');

    project.edit('src/note-tools.ts', 'limit: integer = 10', '/** @maximum 50 */ limit: integer = 10');
    await heard(2);
    expect(toolOf(await client.tools(), 'find_notes')?.inputSchema.properties?.['limit']).toMatchObject({
      maximum: 50,
    });

    project.edit('src/format.ts', '`<${text}>`', '`* ${text}`');
    await dev.says(/replaced NoteTools[^]*replaced NoteTools[^]*replaced NoteTools/);
    expect(await session.find()).toEqual({ texts: ['* Buy milk.'] });

    // Neither the instances that services share nor the process has changed.
    expect(await session.find('Kept')).toEqual({
      texts: ['* Kept in memory.'],
    });
    expect(await client.callText('take_time', { ms: 0 })).toBe(pid);
    expect(await asking.stop()).toBeGreaterThan(0);
    await official.close();
  });
});

describe('the app is restarted, and no connection is refused', () => {
  test('after an edit of a module that its entry uses', async () => {
    const { project, dev, client } = session;
    const asking = askAllTheTime(client);
    const running = client.callText('take_time', { ms: 700 });
    const pid = await client.callText('take_time', { ms: 0 });
    project.edit('src/notes.ts', "'Call Ann.'", "'Call Bob.'");
    await dev.says(/restarted: the entry uses what changed/);
    expect(await running).toBe(pid);
    expect(await client.callText('take_time', { ms: 0 })).not.toBe(pid);
    expect(await session.find('Bob')).toEqual({
      texts: ['* Call Bob.'],
    });
    expect(await asking.stop()).toBeGreaterThan(0);
  });

  test('for a new service in a new file', async () => {
    const { project, dev, client } = session;
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
    // The first of the two edits may already have led to a restart of its own.
    while (!toolOf(await client.tools(), 'tell_hour')) await dev.says(/restarted/);
    project.edit('src/clock-tools.ts', 'Tell the hour.', 'Tell what hour it is.');
    await dev.says(/replaced ClockTools/);
    expect(toolOf(await client.tools(), 'tell_hour')?.description).toBe('Tell what hour it is. Returns it.');
    expect(await asking.stop()).toBeGreaterThan(0);
    expect(dev.printed.match(/not served/g)).toHaveLength(1);
  });

  test('even if the app has its own HTTP server and ignores signals', async () => {
    await session.end();
    const { project, dev, url, client } = await start('src/mounted.ts');
    const asking = askAllTheTime(client);
    expect(JSON.parse(/address (.*)/.exec(dev.stdout)![1]!)).toMatchObject({ port: Number(url.port) });
    project.edit('src/mounted.ts', 'hello from the app', 'hello again');
    await dev.says(/restarted: it is the entry/);
    expect(await (await fetch(new URL('/hello', url))).text()).toBe('hello again');
    expect(await asking.stop()).toBeGreaterThan(0);
  });
});
