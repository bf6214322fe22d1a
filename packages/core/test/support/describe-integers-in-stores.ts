import type { McpServer, Principal, ServerOptions } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { type BootedSources, bootSources } from './booted-sources.js';
import { boot } from './booting.js';
import { withLiterals } from './exact-numbers.js';
import { formsOf, integers, integerTools, rowText, strictText } from './integer-tools.js';
import { RecordingSink } from './recording-sink.js';
import { problemsOfClient } from './strict-client.js';

const usual = {
  principal: { subject: 'ada', scopes: [] as string[] } as Principal,
  capabilities: {
    ...{ elicitation: { form: {} } },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  } as object,
};

/** Sends a request with its literals, as a line of text, and gives the answer as text: the first one that is the answer. */
export function askServer(
  server: McpServer,
  method: string,
  params: object,
  { principal, capabilities } = usual,
  isAnswer: (text: string) => boolean = () => true,
): Promise<string> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'any', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  return new Promise((resolve) => {
    const hear = (text: string) => isAnswer(text) && resolve(text);
    const connection = server.protocol.connect({ principal, ip: undefined, transport: 'memory' }, hear);
    connection.receiveText(withLiterals(body));
  });
}

/**
 * What holds for integers that processes keep in stores that they share: one takes a request, and another one the next. Where a
 * queue is among the stores, the other one does the work, too.
 */
export function describeIntegersInStores(
  name: string,
  open: () => { stores: ServerOptions['stores'] },
  { isQueue = false } = {},
): void {
  describe(name, () => {
    let booted: BootedSources;
    let other: McpServer;
    let seen: string[];
    beforeAll(async () => {
      const options = {
        secrets: ['a secret that all processes of the test share'],
        audit: new RecordingSink(),
      };
      booted = await bootSources({ 'tools.ts': integerTools }, { ...options, ...open() });
      const { Tools, ...rest } = booted.load('tools.ts');
      seen = rest['seen'] as never;
      const manifest = () => booted.manifest;
      other = await boot({ services: [Tools!], manifest, rateLimit: false, ...options, ...open() });
      if (isQueue) await serveTasks(other, { signals: false });
    }, 120_000);
    afterAll(async () => {
      await other.close(0);
      await booted.close();
    });
    beforeEach(() => void (seen.length = 0));

    const call = (server: McpServer, tool: string, args: object, more: object = {}) =>
      askServer(server, 'tools/call', { name: tool, arguments: args, ...more });
    const answer = (id: string) => ({ action: 'accept', content: { other: id } });

    /** Reads a task until it is in one of these states. Without a queue, only the process that has it knows it. */
    async function readTask(taskId: string, ...states: string[]): Promise<string> {
      for (;;) {
        const text = await askServer(isQueue ? other : booted.server, 'tasks/get', { taskId });
        if (!text.includes('"result"') || states.some((state) => text.includes(`"status":"${state}"`)))
          return text;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }

    test.each(integers.flatMap((id) => formsOf(id).map((form) => [id, form])))(
      'have the integer %s, sent as %s, in arguments, steps, answers, results, pages and tasks',
      async (id, form) => {
        const row = rowText(id);
        const { server } = booted;
        for (const each of [server, other])
          expect(await call(each, 'cached', { id: form })).toContain(`"row":${row}`);

        const asked = JSON.parse(await call(server, 'asked', { id: form })).result;
        const again = { requestState: asked.requestState, inputResponses: { which: answer(id) } };
        expect(await call(other, 'asked', { id: form }, again)).toContain(row);

        const first = JSON.parse(await call(server, 'paged', { id: form })).result;
        const cursor = /"cursor": "([^"]+)"/.exec(first.content.at(-1).text)![1];
        const second = JSON.parse(await call(other, 'paged', { id: form, cursor })).result;
        const items = [...first.structuredContent, ...second.structuredContent];
        expect(new Set(items)).toEqual(new Set([id]));

        const later = JSON.parse(await call(server, 'later', { id: form })).result.taskId;
        expect(await readTask(later, 'completed', 'failed')).toContain(row);
        const queued = JSON.parse(await call(server, 'queued', { id: form })).result.taskId;
        const open = await readTask(queued, 'input_required', 'failed');
        expect(open).toContain(`Beside ${id}?`);
        await askServer(server, 'tasks/update', { taskId: queued, inputResponses: { what: answer(id) } });
        expect(await readTask(queued, 'completed', 'failed')).toContain(row);
        const strict = JSON.parse(await call(server, 'strict', { id: form })).result.taskId;
        const done = await readTask(strict, 'completed', 'failed');
        expect(done).toContain(`"structuredContent":${strictText(id)}`);
        const { tools } = JSON.parse(await askServer(other, 'tools/list', {})).result;
        expect(problemsOfClient(tools, 'strict', JSON.parse(done).result.result)).toBeUndefined();
        expect(new Set(seen.join().split(','))).toEqual(new Set([`bigint ${id}`]));
      },
    );
  });
}
