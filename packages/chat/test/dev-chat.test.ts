import { readFileSync } from 'node:fs';
import { ConsolePage } from '../../cli/test/support/console-page.js';
import { DevProcess } from '../../cli/test/support/dev-process.js';
import { ProjectFolder, compilerOptions } from '../../cli/test/support/project-folder.js';
import { calls, says, StubModel } from './support/stub-model.js';

const main = `import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';

void createMcpServer({ name: 'shop', version: '1.0.0', instructions: 'Be kind.', services: [], audit: false }).then((server) => {
  server.tools.add({
    name: 'find_order',
    description: 'Finds an order.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
    handler: ({ id }, { principal }) => \`order \${String(id)} of \${principal?.subject}\`,
  });
  return serveHttp(server, { port: 0 });
});
`;

const key = 'sk-canary-0123456789';
let project: ProjectFolder;

beforeAll(() => {
  project = new ProjectFolder();
  project.write('package.json', JSON.stringify({ name: 'shop' }));
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  project.write('src/main.ts', main);
  project.install({ '@types/node': 'node_modules/@types/node' });
  for (const name of ['core', 'http', 'chat'])
    project.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
  project.link('node_modules/typescript', 'packages/cli/node_modules/typescript-7');
});

afterAll(() => project.remove());

test('toolwright dev: a person chats as a caller, and the turn is a case in the project; the key stays where it is', async () => {
  const model = await StubModel.start(calls(['find_order', { id: 7 }]), says({ content: `Found, ${key}.` }));
  const env = { TOOLWRIGHT_CHAT_URL: model.url, TOOLWRIGHT_CHAT_MODEL: 'stub', TOOLWRIGHT_CHAT_KEY: key };
  const dev = new DevProcess(project, { env });
  try {
    const [, address] = await dev.says(/console: (\S+)/);
    await dev.url();
    const page = await ConsolePage.open(address!);
    const { servers } = await page.ask('overview', {});
    expect(servers).toMatchObject([{ id: 'shop', hasChat: true }]);
    const of = { server: 'shop', as: { subject: 'ada', scopes: [] } };
    const ended = page.hears('chat', ({ chat }) => chat.turns.at(-1)?.state === 'ended');
    await page.ask('sendToChat', { ...of, text: 'Where is order 7?' });
    const { chat, as } = await ended;
    expect(as).toEqual(of.as);
    expect(chat.turns[0]!.problem).toBeUndefined();
    expect(model.request(1).headers['authorization']).toBe(`Bearer ${key}`);
    expect(model.request(1).body.messages).toMatchObject([
      { role: 'system', content: 'Be kind.' },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', content: 'order 7 of ada' },
    ]);
    expect(await page.ask('saveChatCases', { ...of, turn: 1 })).toEqual({
      file: 'test/chat.cases.json',
      names: ['Where is order 7?'],
    });
    expect(JSON.parse(readFileSync(project.path('test/chat.cases.json'), 'utf8'))).toMatchObject([
      { expect: [{ tool: 'find_order', arguments: { id: 7 } }] },
    ]);
    const answers = [
      chat,
      await page.ask('chat', of),
      await page.ask('ownCalls', {}),
      await page.ask('messages', {}),
    ];
    expect(`${dev.printed}${JSON.stringify(answers)}`).not.toContain('canary');
  } finally {
    await dev.stop();
  }
});
