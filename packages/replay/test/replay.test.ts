import { randomUUID } from 'node:crypto';
import { connect } from '@toolwright/client';
import { type McpServer, RateLimit, RequireScopes, ToolError } from '@toolwright/core';
import type { ReplayReport } from '../src/index.js';
import {
  makePlace,
  reading,
  recorded,
  replayed,
  type Revision,
  revisions,
  serverWith,
  type Tool,
} from './support/recorded.js';

const place = makePlace();
const { file } = place;
const servers: McpServer[] = [];
const make = async (version: string, ...tools: Tool[]): Promise<McpServer> => {
  const server = await serverWith(version, tools);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});
afterAll(() => place.remove());

/** What differs, in few words. */
const found = ({ differing }: ReplayReport) =>
  differing.map(({ differences, kind, name }) => [
    name,
    kind,
    differences.map(({ path, words }) => words ?? path),
  ]);
const why = ({ left }: ReplayReport) => left.map(({ name, reason }) => [name, reason]);

const text = { type: 'object', properties: { text: { type: 'string' } } } as const;

describe.each(revisions)('calls of %s', (revision: Revision) => {
  test('are the same at the same build, with lists, prompts, resources and errors', async () => {
    const server = await make(
      '1.0.0',
      reading('echo', ({ text: given }) => String(given), { inputSchema: text }),
    );
    server.resources.add({ uri: 'note://one', name: 'one', handler: () => 'One.' });
    server.prompts.add({ name: 'hello', description: 'Says hello.', handler: () => 'Hello.' });
    await recorded(file, server, async (open) => {
      const client = await open({ revision });
      await client.tools();
      await client.call('echo', { text: 'a' });
      await client.call('echo', { text: 'b' });
      await client.call('echo', { text: 7 });
      await client.read('note://one');
      await client.get('hello');
      await client.call('missing').catch(() => undefined);
    });
    const report = await replayed(file, server);
    expect(found(report)).toEqual([]);
    expect(report.counts).toEqual({ calls: 7, replayed: 6, same: 6 });
    // Nobody knows what a tool would have done that is not listed.
    expect(why(report)).toEqual([['missing', 'unlisted']]);
    expect(report.replayed).toMatchObject({ name: 'pages', version: '1.0.0' });
  });

  test('show what another build does in another way: results, errors, contract', async () => {
    const outputSchema = {
      type: 'object',
      properties: { total: { type: 'integer' } },
      required: ['total'],
    } as const;
    const before = await make(
      '1.0.0',
      reading('count', () => ({ total: 3 }), { outputSchema }),
      reading('find', () => 'Found.'),
    );
    await recorded(file, before, async (open) => {
      const client = await open({ revision });
      await client.tools();
      await client.call('count');
      await client.call('find');
    });
    const after = await make(
      '1.1.0',
      reading('count', () => ({ total: 4 }), { outputSchema }),
      reading(
        'find',
        () => {
          throw new ToolError('There is no page 7.');
        },
        { description: 'Finds.' },
      ),
    );
    const report = await replayed(file, after);
    const structured = revision >= '2025-06-18';
    expect(found(report)).toEqual([
      ['tools/list', 'contract', ['/tools/1/description']],
      ['count', 'results', structured ? ['/structuredContent/total'] : ['/content/0/text/total']],
      ['find', 'errors', ['a result became an error']],
    ]);
    expect(report.differing[1]!.differences[0]).toMatchObject({ recorded: '3', replayed: '4' });
    expect(report.counts).toEqual({ calls: 3, replayed: 3, same: 0 });
  });

  test('with hidden values are listed, and never sent', async () => {
    const sent: unknown[] = [];
    const inputSchema = {
      type: 'object',
      properties: { who: { type: 'string' }, pin: { type: 'string', format: 'password' } },
    } as const;
    const server = await make(
      '1.0.0',
      reading('open', (args) => (sent.push(args), 'open'), { inputSchema }),
    );
    await recorded(file, server, async (open) => {
      const client = await open({ revision });
      await client.call('open', { who: 'ann', pin: '1234' });
      await client.call('open', { who: 'ann' });
    });
    sent.length = 0;
    const report = await replayed(file, server);
    expect(why(report)).toEqual([['open', 'hidden']]);
    expect(sent).toEqual([{ who: 'ann' }]);
    expect(report).toMatchObject({ counts: { calls: 2, replayed: 1, same: 0 }, uncompared: 1 });
    // The results of such a tool are hidden, so nobody can compare them.
    expect(report.hidden).toBeGreaterThan(0);
  });

  test('that may write are sent only with `all`', async () => {
    let written = 0;
    const write: Tool = { name: 'write', description: 'Writes.', handler: () => `${(written += 1) > 0}` };
    const server = await make('1.0.0', write);
    await recorded(file, server, async (open) => (await open({ revision })).call('write'));
    expect(why(await replayed(file, server))).toEqual([['write', 'writes']]);
    expect(written).toBe(1);
    expect((await replayed(file, server, { all: true })).counts).toEqual({ calls: 1, replayed: 1, same: 1 });
    expect(written).toBe(2);
  });

  test('use the ids that this build gives', async () => {
    const create = (): Tool[] => {
      const pages = new Map<string, string>();
      const outputSchema = {
        type: 'object',
        properties: { id: { type: 'string' }, at: { type: 'string' } },
      } as const;
      const inputSchema = { type: 'object', properties: { pageId: { type: 'string' } } } as const;
      return [
        {
          name: 'create',
          description: 'Creates.',
          outputSchema,
          handler: () => {
            const id = randomUUID();
            pages.set(id, `Page ${pages.size + 1}`);
            return { id, at: new Date().toISOString() };
          },
        },
        reading('read', ({ pageId }) => `${pages.get(String(pageId)) ?? 'nothing'} (${String(pageId)})`, {
          inputSchema,
        }),
      ];
    };
    const [before, after] = [await make('1.0.0', ...create()), await make('1.1.0', ...create())];
    await recorded(file, before, async (open) => {
      const client = await open({ revision });
      const ids = [];
      for (let page = 0; page < 2; page++) {
        const { content } = await client.call('create');
        ids.push(/[0-9a-f-]{36}/.exec((content[0] as { text: string }).text)![0]);
      }
      for (const pageId of ids.reverse()) await client.call('read', { pageId });
    });
    const report = await replayed(file, after, { all: true });
    expect(found(report)).toEqual([]);
    expect(report.counts.same).toBe(4);
  });

  test('that ask a question are answered as they were', async () => {
    const heard: unknown[] = [];
    const ask = (message: string): Tool =>
      reading('ask', async (_args, ctx) => {
        const answer = await ctx.elicit('which', {
          message,
          schema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
        });
        heard.push(answer);
        return answer.action;
      });
    const server = await make('1.0.0', ask('Which color?'));
    if (revision < '2025-06-18') return;
    await recorded(file, server, async (open) => {
      const client = await open({
        revision,
        elicit: () => ({ action: 'accept', content: { color: 'red' } }),
      });
      await client.call('ask');
    });
    heard.length = 0;
    const report = await replayed(file, server);
    expect([found(report), why(report)]).toEqual([[], []]);
    expect(heard.at(-1)).toMatchObject({ action: 'accept', content: { color: 'red' } });
    const silent = await make(
      '1.1.0',
      reading('ask', () => 'accept'),
    );
    expect(found(await replayed(file, silent))).toEqual([
      ['ask', 'results', ['the server did not ask what it asked before']],
    ]);
  });
});

test('a refusal by a guard is an answer like any other', async () => {
  const server = await make(
    '1.0.0',
    reading('close', () => 'closed', { policies: [RequireScopes.entry('books:close')] }),
  );
  await recorded(file, server, async (open) => {
    const client = await open({ principal: { subject: 'ann', scopes: ['books:close'] } });
    await client.tools();
    await client.call('close');
  });
  expect(found(await replayed(file, server)).map(([name, kind]) => [name, kind])).toEqual([
    ['tools/list', 'contract'],
    ['close', 'errors'],
  ]);
  expect(found(await replayed(file, server, { scopes: ['books:close'] }))).toEqual([]);
});

test('a limit that asks for a pause gets it', async () => {
  const make1 = (points: number) =>
    make(
      '1.0.0',
      reading('look', () => 'seen', { policies: [RateLimit.entry({ points, per: '1s' })] }),
    );
  await recorded(file, await make1(100), async (open) => {
    const client = await open({ principal: { subject: 'ann', scopes: [] } });
    for (let call = 0; call < 3; call++) await client.call('look');
  });
  const report = await replayed(file, await make1(2));
  expect(found(report)).toEqual([]);
  expect(report.waitedMs).toBeGreaterThan(0);
});

test('identical calls that are open at once each keep their own answer', async () => {
  const release: (() => void)[] = [];
  const wait = reading(
    'wait',
    () => new Promise<string>((resolve) => release.push(() => resolve(`${release.length}`))),
  );
  const server = await make('1.0.0', wait);
  await recorded(file, server, async (open) => {
    const client = await open({ revision: '2025-11-25' });
    const both = [client.call('wait'), client.call('wait')];
    while (release.length < 2) await new Promise(setImmediate);
    // The second one ends first.
    release[1]!();
    await both[1];
    release[0]!();
    await both[0];
  });
  const after = await make(
    '1.1.0',
    reading('wait', () => '2'),
  );
  expect(found(await replayed(file, after))).toEqual([]);
});

test('a tool that was read-only by neither build is not called, and neither is one that only the new build calls so', async () => {
  const writes: Tool = { name: 'touch', description: 'Touches.', handler: () => 'touched' };
  const before = await make('1.0.0', writes);
  await recorded(file, before, async (open) => {
    const client = await open();
    await client.tools();
    await client.call('touch');
  });
  const after = await make(
    '1.1.0',
    reading('touch', () => 'touched'),
  );
  expect(why(await replayed(file, after))).toEqual([['touch', 'writes']]);
});

test('bytes are compared, and shown as a number and a digest', async () => {
  const picture = (byte: number) =>
    reading(
      'draw',
      () =>
        [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(600, byte).toString('base64') }] as never,
    );
  const before = await make('1.0.0', picture(1));
  await recorded(file, before, async (open) => (await open()).call('draw'));
  expect(found(await replayed(file, before))).toEqual([]);
  const report = await replayed(file, await make('1.1.0', picture(2)));
  expect(report.differing[0]!.differences).toEqual([
    {
      path: '/content/0/data',
      recorded: expect.stringMatching(/^600 bytes \([0-9a-f]{8}\)$/),
      replayed: expect.stringMatching(/^600 bytes/),
    },
  ]);
});

test('a server that breaks off answers in another way', async () => {
  const server = await make(
    '1.0.0',
    reading('look', () => 'seen'),
  );
  await recorded(file, server, async (open) => {
    const client = await open();
    await client.call('look');
    await client.call('look');
  });
  const report = await replayed(file, server, {
    open: async ({ client: options }) => {
      const client = await connect(server, options);
      const { request } = client;
      let calls = 0;
      client.request = (method, ...rest) =>
        method === 'tools/call' && ++calls > 1
          ? Promise.reject(new Error('The process ended.'))
          : request.call(client, method, ...rest);
      return client;
    },
  });
  expect(found(report)).toEqual([['look', 'errors', ['a result became an error']]]);
  expect(report.differing[0]).toMatchObject({
    number: 2,
    differences: [{ replayed: '"The process ended."' }],
  });
});

test('an answer with more levels than a stack is a difference, and the replay goes on', async () => {
  const deep = (core: number) => reading('look', () => `${'['.repeat(50_000)}${core}${']'.repeat(50_000)}`);
  const before = await make('1.0.0', deep(1));
  await recorded(file, before, async (open) => {
    const client = await open();
    await client.call('look');
    await client.call('look');
  });
  const report = await replayed(file, await make('1.1.0', deep(2)));
  const words = 'it has too many levels to compare';
  expect(found(report)).toEqual([
    ['look', 'results', [words]],
    ['look', 'results', [words]],
  ]);
});

test('a server that cannot be reached is an error, not a list of calls', async () => {
  const server = await make(
    '1.0.0',
    reading('look', () => 'seen'),
  );
  await recorded(file, server, async (open) => (await open()).call('look'));
  const refused = replayed(file, server, { open: () => Promise.reject(new Error('connection refused')) });
  await expect(refused).rejects.toThrow('connection refused');
});
