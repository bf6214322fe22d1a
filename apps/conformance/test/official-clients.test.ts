import type { Heard } from './support/answers.js';
import { RunningApp } from './support/running-app.js';
import { connectV1, type V1Transport } from './support/v1-client.js';
import { connectV2 } from './support/v2-client.js';

interface AnyClient {
  listTools(): Promise<{ tools: any[] }>;
  callTool(params: any, second?: any, third?: any): Promise<any>;
  listResources(): Promise<{ resources: any[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: any[] }>;
  readResource(params: any): Promise<any>;
  listPrompts(): Promise<{ prompts: any[] }>;
  getPrompt(params: any): Promise<any>;
  complete(params: any): Promise<any>;
  getServerVersion(): any;
  close(): Promise<void>;
}
interface Setup {
  name: string;
  version: 1 | 2;
  era: 'modern' | 'legacy';
  connect(url: string): Promise<{ client: AnyClient; heard: Heard }>;
}

const v1 = (transport: V1Transport): Setup => ({
  name: `v1 over ${transport}`,
  version: 1,
  era: 'legacy',
  connect: (url) => connectV1(transport, url),
});
const v2 = (transport: 'http' | 'stdio', era: Setup['era']): Setup => ({
  name: `v2 over ${transport}, ${era}`,
  version: 2,
  era,
  connect: (url) => connectV2({ transport, url, era }) as never,
});

let app: RunningApp;
beforeAll(async () => {
  app = await RunningApp.start({ programs: true });
});
afterAll(() => app.stop());

describe.each([
  v1('http'),
  v1('stdio'),
  v2('http', 'modern'),
  v2('http', 'legacy'),
  v2('stdio', 'modern'),
  v2('stdio', 'legacy'),
])('The official client $name', ({ connect, era, version }) => {
  let client: AnyClient;
  let heard: Heard;
  beforeAll(async () => {
    ({ client, heard } = await connect(app.url));
  });
  afterAll(() => client.close());

  const call = (name: string, args = {}) => client.callTool({ name, arguments: args });
  const text = async (name: string, args = {}) => (await call(name, args)).content[0].text;

  test('learns who the server is', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'toolwright-conformance', version: '1.0.0' });
  });

  test('lists and calls tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(await text('echo', { text: 'hello' })).toBe('hello');
    const sum = await call('add', { a: 1, b: 2 });
    expect(sum.structuredContent).toEqual({ sum: 3 });
    expect((await call('fail')).isError).toBe(true);
    expect((await call('echo', { text: 5 })).isError).toBe(true);
    await expect(call('ecko')).rejects.toThrow('Did you mean');
  });

  test('runs programs, whose calls give values of every kind and ask questions', async () => {
    const code = `
      const { sum } = await tools.add({ a: 1, b: 2 });
      const contents = ['test_image_content', 'test_audio_content', 'test_embedded_resource'];
      const kinds = await Promise.all(contents.map(async (name) => (await tools[name]())[0].type));
      const failed = await tools.fail().catch(({ message, code }) => [message.includes('canary'), code]);
      const greeted = await Promise.all([tools.test_tool_with_task(), tools.echo({ text: 'between' }), tools.test_tool_with_task()]);
      return { sum, said: await tools.echo({ text: 'hi' }), kinds, failed, greeted };`;
    expect((await call('run_code', { code })).structuredContent).toEqual({
      result: {
        sum: 3,
        said: 'hi',
        kinds: ['image', 'audio', 'resource'],
        failed: [false, 'TW_INTERNAL'],
        greeted: ['Hello, Ada!', 'between', 'Hello, Ada!'],
      },
    });
  });

  test('sends arguments that are mirrored into headers, plain and encoded', async () => {
    for (const args of [
      {},
      { s: 'é', n: 0, b: false, nested: { t: ' padded ' } },
      { s: '=?base64?x?=', n: -7 },
    ]) {
      expect(JSON.parse(await text('xhdr', args))).toEqual(args);
    }
    expect(await text('test_x_mcp_header', { region: 'Zürich' })).toBe('Region Zürich.');
    expect(await text('json_schema_2020_12_tool', { email: 'a@b.c' })).toBe('Got email.');
    expect((await call('json_schema_2020_12_tool', { contactMethod: 'phone', email: 'a@b.c' })).isError).toBe(
      true,
    );
  });

  test('takes content of every kind', async () => {
    const kinds = ['test_image_content', 'test_audio_content', 'test_embedded_resource'];
    const results = await Promise.all(kinds.map((name) => call(name)));
    expect(results.map(({ content }) => content[0].type)).toEqual(['image', 'audio', 'resource']);
  });

  test('lists and reads resources', async () => {
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('test:'))).toHaveLength(4);
    expect(resources.map(({ uri }) => uri)).toContain('skill://write-letter/SKILL.md');
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    expect(JSON.parse(contents[0].text)).toMatchObject({ id: '7' });
    await expect(client.readResource({ uri: 'test://nowhere' })).rejects.toThrow('not found');
  });

  test('lists, gets and completes prompts', async () => {
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(4);
    const prompt = await client.getPrompt({
      name: 'test_prompt_with_arguments',
      arguments: { arg1: 'a', arg2: 'b' },
    });
    expect(prompt.messages[0].content.text).toContain("arg1='a'");
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'testV' },
    });
    expect(completion.values).toEqual(['testValue1']);
  });

  test('is asked for input of every kind, in one round or more', async () => {
    expect(await text('test_input_required_result_elicitation')).toBe('Hello, Ada!');
    expect(await text('test_input_required_result_sampling')).toContain('Paris');
    expect(await text('test_input_required_result_list_roots')).toBe('Roots: file:///home/ada');
    expect(await text('test_input_required_result_multiple_inputs')).toContain('Ada');
    expect(await text('test_input_required_result_multi_round')).toBe('Ada likes green.');
    expect(await text('test_elicitation', { message: 'Anything' })).toContain('action=decline');
    const prompt = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    expect(prompt.messages).toHaveLength(1);
  });

  test('hears of progress', async () => {
    const steps: number[] = [];
    const options = { onprogress: ({ progress }: { progress: number }) => void steps.push(progress) };
    const params = { name: 'test_tool_with_progress', arguments: {} };
    await (version === 2 ? client.callTool(params, options) : client.callTool(params, undefined, options));
    // The clients drop a notification that arrives in one chunk with the answer, as the last may on stdio.
    expect(steps.slice(0, 2)).toEqual([0, 50]);
  });

  if (era === 'legacy') {
    test('hears logs and of changes', async () => {
      await call('test_tool_with_logging');
      expect(heard.logs).toHaveLength(3);
      await call('test_trigger_tool_change');
      while (heard.toolChanges === 0) await new Promise((resolve) => setImmediate(resolve));
    });
  }
});

test('The official v2 client listens to changes on 2026-07-28', async () => {
  const { client, heard } = await connectV2({ transport: 'http', url: app.url, era: 'modern' });
  const subscription = await client.listen({ toolsListChanged: true });
  await client.callTool({ name: 'test_trigger_tool_change', arguments: {} });
  while (heard.toolChanges === 0) await new Promise((resolve) => setImmediate(resolve));
  await subscription.close();
  await client.close();
});

test('The official v2 client cancels by leaving', async () => {
  const { client } = await connectV2({ transport: 'http', url: app.url, era: 'modern' });
  const leaving = new AbortController();
  const gone = client.callTool({ name: 'test_reconnection', arguments: {} }, { signal: leaving.signal });
  leaving.abort();
  await expect(gone).rejects.toThrow();
  await client.close();
});
