import '../../../search/src/index.js';
import { bootForFile } from '../../../core/test/support/booted-sources.js';
import { withLiterals } from '../../../core/test/support/exact-numbers.js';
import {
  formsOf,
  integers,
  integerTools,
  rowText,
  strictText,
} from '../../../core/test/support/integer-tools.js';
import { RecordingSink } from '../../../core/test/support/recording-sink.js';
import { problemsOfClient } from '../../../core/test/support/strict-client.js';
import { type HttpService, serveHttp } from '../../src/index.js';
import { LegacyClient } from '../support/legacy-client.js';
import { modern, type ModernParts, send, type WireAnswer } from '../support/wire.js';

const sink = new RecordingSink();
const tools = bootForFile(integerTools, { audit: sink, toolSearch: { above: 1_000_000 } } as never);
let service: HttpService;
let seen: string[];
beforeAll(async () => {
  service = await serveHttp(tools.booted.server, { port: 0, signals: false });
  ({ seen } = tools.booted.load('tools.ts') as never);
});
afterAll(() => service.close());
beforeEach(() => void (seen.length = sink.records.length = 0));

const capabilities = {
  elicitation: { form: {} },
  sampling: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

async function ask(method: string, params: object, parts: ModernParts = {}): Promise<WireAnswer> {
  const request = modern(method, { capabilities, ...parts, params: params as never });
  return send(service.url, { ...request, body: withLiterals(request.body) });
}
const call = (name: string, args: object, more: object = {}, parts?: ModernParts) =>
  ask('tools/call', { name, arguments: args, ...more }, parts);
const got = (id: string, times = 1) => Array.from({ length: times }, () => `bigint ${id}`).join();

describe.each(integers.flatMap((id) => formsOf(id).map((form) => [id, form] as const)))(
  '%s, sent as %s',
  (id, form) => {
    const row = rowText(id);

    test('comes and goes in every form of a type, and the audit log has its digits', async () => {
      const { text } = await call('give', { id: form });
      expect(text).toContain(`"structuredContent":${row}`);
      const whole = {
        id: form,
        ids: [form, 1],
        by: { a: form },
        map: { a: form },
        set: [form],
        deep: { rows: [{ id: form }] },
      };
      expect((await call('take', whole)).json.result.content[0].text).toBe(id);
      expect(seen).toEqual([got(id), got(id, 6)]);
      const recorded = sink.records.map(({ event }) => BigInt((event.arguments as { id: string }).id));
      expect(recorded).toEqual([BigInt(id), BigInt(id)]);
    });

    test('goes through call_tool and a cache', async () => {
      const inner = await call('call_tool', { name: 'give', arguments: { id: form } });
      expect(inner.text).toContain(row);
      const runs = [];
      for (let count = 0; count < 2; count++) {
        const { json, text } = await call('cached', { id: form });
        expect(text).toContain(`"row":${row}`);
        runs.push(json.result.structuredContent.run);
      }
      expect(runs[0]).toBe(runs[1]);
      expect(
        (await call('cached', { id: `@${BigInt(id) - 1n}` })).json.result.structuredContent.run,
      ).not.toBe(runs[0]);
    });

    test('is in the words of a confirmation, and the confirmed call gets it', async () => {
      const { json } = await call('confirmed', { id: form });
      const { requestState, inputRequests } = json.result;
      const [[key, request]] = Object.entries<any>(inputRequests) as [[string, any]];
      expect(request.params.message).toBe(`Delete ${id}?`);
      const inputResponses = { [key]: { action: 'accept', content: { confirm: true } } };
      const other = await call('confirmed', { id: `@${BigInt(id) - 1n}` }, { requestState, inputResponses });
      expect(other.json.result?.structuredContent).toBeUndefined();
      expect((await call('confirmed', { id: form }, { requestState, inputResponses })).text).toContain(row);
      const none = { capabilities: {} };
      expect((await call('argued', { id: form }, {}, none)).text).toContain(`Delete ${id}?`);
      const close = { id: `@${BigInt(id) - 1n}`, confirmed: true };
      expect((await call('argued', close, {}, none)).json.result.isError).toBe(true);
      expect((await call('argued', { id: form, confirmed: true }, {}, none)).text).toContain(row);
      expect(seen).toEqual([got(id), got(id)]);
    });

    test('goes through steps, and through questions to the person and to the model', async () => {
      const first = (await call('asked', { id: form })).json.result;
      expect(first.inputRequests.which.params.message).toBe(`Beside ${id}?`);
      const answer = { which: { action: 'accept', content: { other: id } } };
      const { requestState } = first;
      const second = await call('asked', { id: form }, { requestState, inputResponses: answer });
      expect(second.text).toContain(row);
      const { text, json } = await call('sampled', { id: form });
      expect(text).toContain(`Row ${id}`);
      const metadata = json.result.inputRequests.other.params.metadata;
      expect(String(metadata.id)).toBe(id);
      for (const said of [`{"other":${id}}`, `{"other":"${id}"}`]) {
        const other = { role: 'assistant', model: 'm', content: { type: 'text', text: said } };
        const asked = (await call('sampled', { id: form })).json.result.requestState;
        const answered = { requestState: asked, inputResponses: { other } };
        expect((await call('sampled', { id: form }, answered)).text).toContain(row);
      }
      expect(seen).toEqual([got(id, 4), got(id, 2), got(id, 2)]);
    });

    test('is whole in log messages, progress and errors', async () => {
      const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
      const { text } = await call('said', { id: form }, {}, { meta });
      const number = String(BigInt(Number(id)));
      expect(text).toContain(`"data":{"id":"${id}","deep":[{"id":"${id}"}],"number":${number}}`);
      expect(text).toContain(`row ${id}"`);
      expect(text).toContain(`No row ${id}.`);
      expect(text).toContain(`"x/id":"${id}"`);
      expect(text).toContain(`"x/number":${number}`);
    });

    test('goes through every page of a long result', async () => {
      const items: unknown[] = [];
      for (let cursor: string | undefined, count = 0; count === 0 || cursor; count++) {
        const { json } = await call('paged', { id: form, ...(cursor !== undefined && { cursor }) });
        items.push(...json.result.structuredContent);
        cursor = /"cursor": "([^"]+)"/.exec(json.result.content.at(-1).text)?.[1];
        expect(count).toBeLessThan(20);
      }
      expect(items).toEqual(Array.from({ length: 20 }, () => id));
    });

    test('goes through a task, of both kinds', async () => {
      const client = await LegacyClient.connect(service.url, '2025-11-25');
      for (const [name, written] of [
        ['later', row],
        ['strict', strictText(id)],
      ] as const) {
        const { taskId } = (await call(name, { id: form })).json.result;
        let answer: WireAnswer;
        do answer = await ask('tasks/get', { taskId });
        while (answer.text.includes('"status":"working"'));
        expect(answer.text).toContain(`"structuredContent":${written}`);
        const { tools: listed } = (await ask('tools/list', {})).json.result;
        expect(problemsOfClient(listed, name, answer.json.result.result)).toBeUndefined();

        const params = { name, arguments: { id: form }, task: {} };
        const begun = await client.post(
          withLiterals({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        );
        const done = await client.request('tasks/result', { taskId: begun.json.result.task.taskId });
        expect(done.text).toContain(`"structuredContent":${written}`);
        const { tools: older } = (await client.request('tools/list', {})).json.result;
        expect(problemsOfClient(older, name, done.json.result)).toBeUndefined();
      }
      expect(seen).toEqual(Array(4).fill(got(id)));
    });
  },
);

test.each(integers)('the text %s goes to prompts, templates and completions', async (id) => {
  const params = { name: 'words', arguments: { id, ids: `[${id},"${id}"]` } };
  const prompt = await ask('prompts/get', params);
  expect(prompt.json.result?.messages[0].content.text).toBe(`Row ${id}`);
  const read = await ask('resources/read', { uri: `row://${id}?ids=${id}&ids=1` });
  expect(read.json.result?.contents[0].text).toBe(rowText(id));
  const refs = [
    { type: 'ref/prompt', name: 'words' },
    { type: 'ref/resource', uri: 'row://{id}{?ids*}' },
  ];
  for (const ref of refs) {
    const { json } = await ask('completion/complete', {
      ref,
      argument: { name: 'id', value: id },
      context: { arguments: { id } },
    });
    expect(json.result.completion.values).toEqual([id]);
  }
  expect(seen.slice(0, 2)).toEqual([got(id, 3), `${got(id, 2)},bigint 1`]);
});

test.each(['9007199254740993', '1e400'])(
  'a model that answers %s for a number is not rounded',
  async (rank) => {
    const { requestState } = (await call('ranked', {})).json.result;
    const content = { type: 'text', text: `Here it is:\n\`\`\`json\n{"rank":${rank}}\n\`\`\`` };
    const inputResponses = { rank: { role: 'assistant', model: 'm', content } };
    const { json } = await call('ranked', {}, { requestState, inputResponses });
    expect(json.result.isError).toBe(true);
    expect(json.result.content[0].text).toMatch(/- rank: .*Send it as a string/);
    expect(seen).toEqual([]);
  },
);
