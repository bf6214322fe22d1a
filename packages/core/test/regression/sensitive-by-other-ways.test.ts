import { MaxOutput, type McpServer, structured } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { extend } from '@toolwright/core/extend';
import { boot } from '../support/booting.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire, envelope } from '../wire/stateless-wire.js';

const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text = { type: 'string' };
const secretIn = object({ user: text, password: { type: 'string', writeOnly: true } });
const secretOut = object({ iban: { type: 'string', 'x-sensitive': true } });
const canaries = ['canary-in', 'canary-out'];
const args = { user: 'ann', password: canaries[0]! };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

const login: ToolDefinition = {
  name: 'login',
  description: 'Log in.',
  annotations: { readOnlyHint: true },
  inputSchema: secretIn,
  outputSchema: secretOut,
  handler: () => structured({ iban: canaries[1] }),
};
const plain: ToolDefinition = {
  name: 'login',
  version: '2',
  description: 'Log in by a link.',
  inputSchema: object({ user: text }),
  handler: () => 'sent',
};
const rows: ToolDefinition = {
  name: 'rows',
  description: 'Rows.',
  annotations: { readOnlyHint: true },
  outputSchema: object({ rows: { type: 'array', items: secretOut } }),
  policies: [MaxOutput.entry({ tokens: 120, link: true })],
  handler: () => structured({ rows: Array.from({ length: 60 }, () => ({ iban: canaries[1] })) }),
};

describe('what a tool marks as sensitive is hidden from observers of messages and calls', () => {
  let server: McpServer;
  let seen: string[];
  const start = async (tools: readonly ToolDefinition[]) => {
    server = await boot({ services: [], rateLimit: false });
    server.tools.add(tools);
    seen = [];
    server.on('message', ({ message }) => void seen.push(JSON.stringify(message)));
    server.on('call', (call) => void seen.push(JSON.stringify(call)));
  };
  afterEach(() => server.close(0));

  const expectHidden = () => {
    expect(seen.length).toBeGreaterThan(1);
    for (const canary of canaries) expect(seen.filter((each) => each.includes(canary))).toEqual([]);
  };

  test.each<[string, readonly ToolDefinition[]]>([
    ['that is the only one', [{ ...login, version: '1' }]],
    ['beside a newer one that marks nothing', [{ ...login, version: '1' }, plain]],
    [
      'beside a newer one with the same marks',
      [
        { ...login, version: '1' },
        { ...login, version: '2' },
      ],
    ],
  ])('when it is called by the name of a version %s', async (_, tools) => {
    await start(tools);
    const { result } = await StatelessWire.of(server, 'ann').call('login.v1', args);
    expect(result.structuredContent).toEqual({ iban: canaries[1] });
    const older = new StatefulWire(server, { subject: 'ann' });
    expect((await older.call('login.v1', args)).result.structuredContent).toEqual({ iban: canaries[1] });
    expectHidden();
  });

  test('when the rest of a result is read by its link, in both eras', async () => {
    await start([rows]);
    const read = async (wire: StatelessWire | StatefulWire) => {
      const { result } = await wire.call('rows');
      const { uri } = result.content.find(({ type }: { type: string }) => type === 'resource_link');
      const rest = await wire.request('resources/read', { uri });
      expect(JSON.stringify(rest.result.contents)).toContain(canaries[1]);
    };
    await read(StatelessWire.of(server, 'ann'));
    await read(new StatefulWire(server, { subject: 'ann' }));
    expectHidden();
  });

  test.each([
    ['its bare name', 'login', [login]],
    ['the name of an old version', 'login.v1', [{ ...login, version: '1' }, plain]],
  ])('when the result of a task is read that was called by %s', async (_, name, tools) => {
    await start(tools.map((tool) => ({ ...tool, task: 'optional' as const })));
    const older = new StatefulWire(server, { subject: 'ann' });
    const call = { name, arguments: args, task: {} };
    const { taskId } = (await older.request('tools/call', call)).result.task;
    expect((await older.request('tasks/result', { taskId })).result.structuredContent).toBeDefined();
    const wire = StatelessWire.of(server, 'ann', TASKS);
    expect((await wire.request('tasks/get', { taskId })).result.result.structuredContent).toBeDefined();
    expectHidden();
  });

  test('when the tool is removed, or replaced by one without marks, while it runs', async () => {
    let release = () => undefined as void;
    const held = {
      ...login,
      handler: () => new Promise((done) => (release = () => done(structured({ iban: canaries[1] })))),
    };
    await start([{ ...held, version: '1' } as ToolDefinition, plain]);
    const wire = StatelessWire.of(server, 'ann');
    const running = wire.call('login.v1', args);
    server.tools.remove('login.v1');
    release();
    expect((await running).result.structuredContent).toEqual({ iban: canaries[1] });
    await wire.call('login.v1', args);
    expectHidden();
  });

  test('when the tool of a task is removed before its result is read', async () => {
    await start([{ ...login, task: 'optional' }]);
    const older = new StatefulWire(server, { subject: 'ann' });
    const call = { name: 'login', arguments: args, task: {} };
    const { taskId } = (await older.request('tools/call', call)).result.task;
    await older.request('tasks/result', { taskId });
    server.tools.remove('login');
    expect((await older.request('tasks/result', { taskId })).result.structuredContent).toBeDefined();
    expectHidden();
  });

  test('when a second request has the id of the call, or very many come after it', async () => {
    await start([login, { ...plain, name: 'other', version: undefined }]);
    const replies: string[] = [];
    const channel = server.protocol.connect(
      { ip: undefined, transport: 'stdio', principal: { subject: 'ann', scopes: [] } },
      (text) => void replies.push(text),
    );
    const params = { _meta: envelope({}) };
    const call = (id: number, name: string) =>
      channel.receive({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { ...params, name, arguments: args },
      });
    call(1, 'login');
    call(1, 'other');
    call(2, 'login');
    for (let id = 3; id < 1_010; id++) call(id, 'other');
    await new Promise(setImmediate);
    expect(replies.join()).toContain(canaries[1]);
    expectHidden();
  });

  test('and the result of a task whose tool marks nothing stays readable', async () => {
    await start([login, { ...plain, name: 'other', task: 'optional' }]);
    const older = new StatefulWire(server, { subject: 'ann' });
    const call = { name: 'other', arguments: { user: 'ann' }, task: {} };
    const { taskId } = (await older.request('tools/call', call)).result.task;
    await older.request('tasks/result', { taskId });
    expect(seen.at(-1)).toContain('"text":"sent"');
  });

  test('but a refusal of such a task may repeat what nobody declared, and is hidden', async () => {
    await start([login, { ...plain, name: 'other', task: 'optional' }]);
    const older = new StatefulWire(server, { subject: 'ann' });
    const call = { name: 'other', arguments: { user: canaries }, task: {} };
    const { taskId } = (await older.request('tools/call', call)).result.task;
    const { result } = await older.request('tasks/result', { taskId });
    expect(result.isError).toBe(true);
    expect(seen.at(-1)).toContain('"content":"[sensitive]"');
  });

  describe('when it is meant by a call of another tool', () => {
    const meant = async (wire: StatelessWire | StatefulWire, name: string, given: object) =>
      (await wire.call('run', { what: name, with: given })).result;
    const startForwarding = async (tools: readonly ToolDefinition[]) => {
      await start([
        ...tools,
        {
          name: 'run',
          description: 'Runs another tool.',
          inputSchema: { type: 'object', properties: { what: text, with: { type: 'object' } } },
          handler: () => 'nothing',
        },
      ]);
      await extend(server, {
        name: '@made-up/runner',
        start: () => ({ forward: { tool: 'run', name: 'what', arguments: 'with' } }),
      });
    };

    test.each([
      ['its bare name', 'login', [login]],
      ['the name of an old version', 'login.v1', [{ ...login, version: '1' }, plain]],
    ])('by %s, in both eras', async (_, name, tools) => {
      await startForwarding(tools);
      for (const wire of [StatelessWire.of(server, 'ann'), new StatefulWire(server, { subject: 'ann' })])
        expect(await meant(wire, name, args)).toMatchObject({ structuredContent: { iban: canaries[1] } });
      expectHidden();
      expect(seen.join()).toContain(`"what":"${name}"`);
      expect(seen.join()).toContain('"user":"ann"');
    });

    test('by a name that no tool has, and with arguments that no tool declares', async () => {
      await startForwarding([login]);
      const wire = StatelessWire.of(server, 'ann');
      await meant(wire, 'logn', args);
      await meant(wire, 'login', { user: 'ann', pasword: canaries[0] });
      await meant(wire, 'login', canaries);
      await wire.call('run', { what: 5, with: args });
      await wire.call('run', { with: args });
      await wire.call('run', { what: 'login', with: args, and: canaries });
      await wire.call('run', { what: 'run', with: { what: 'login', with: args } });
      expectHidden();
    });
  });
});
