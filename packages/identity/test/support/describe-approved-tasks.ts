import type { ServerStores } from '@toolwright/core/ports';
import { Browser, hidden } from './browser.js';
import { RefundDesk } from './refund-desk.js';
import { type Json, Wire } from './wire.js';

const secrets = ['a secret that all processes of the server have'];

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { url: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

/** What holds for tools that a person approves on a page, and that then run as a task on a queue. */
export function describeApprovedTasks(name: string, makeTasks: () => ServerStores['tasks']): void {
  describe(name, () => {
    let desk: RefundDesk;
    beforeEach(async () => {
      const tasks = makeTasks();
      desk = await RefundDesk.open({ secrets, stores: { tasks }, tasks: { concurrency: 2 } } as never);
    });
    afterEach(() => desk.close());

    async function send(method: string, params: Json): Promise<Json> {
      const wire = new Wire(desk.server, desk.principal('ann'));
      const { result, error } = await wire.request(method, { ...params, _meta });
      if (error) throw new Error((error as Json)['message'] as string);
      return result as Json;
    }

    /** Calls the tool, and answers on the page. @returns what the client sends next */
    async function decide(decision: string): Promise<Json> {
      const call = { name: 'refund_later', arguments: { order: 'A1' } };
      const { inputRequests, requestState, taskId } = await send('tools/call', call);
      expect(taskId).toBeUndefined();
      const [key, { params }] = Object.entries(inputRequests as Json)[0]! as [string, Json];
      const url = params['url'] as string;
      const browser = new Browser();
      const { html } = await browser.openAs('bea', url);
      await browser.open(url, { token: hidden(html, 'token'), decision });
      return { ...call, requestState, inputResponses: { [key]: { action: 'accept' } } };
    }

    test('a call is approved before it becomes a task, and the task runs it once', async () => {
      const next = await decide('approve');
      const { taskId } = await send('tools/call', next);
      expect(taskId).toBeDefined();
      for (;;) {
        // Messages in memory take no turn of the event loop, and the task needs some.
        await new Promise((resolve) => setImmediate(resolve));
        const { status, result } = await send('tasks/get', { taskId });
        if (result) {
          expect(result.content[0].text).toBe('refunded');
          break;
        }
        expect(status).toBe('working');
      }
      expect(desk.refunds).toEqual([{ order: 'A1' }]);
      expect(desk.audit.filter(({ event }) => event === 'confirmed')).toEqual([
        expect.objectContaining({ approver: expect.objectContaining({ subject: 'bea' }) as unknown }),
      ]);
      await expect(send('tools/call', next)).rejects.toThrow('Invalid or expired requestState');
      expect(desk.refunds).toHaveLength(1);
    });

    test('a call that nobody has to approve becomes a task at once, and the worker asks nobody', async () => {
      const { taskId } = await send('tools/call', {
        name: 'refund_above_later',
        arguments: { order: 'A1', amount: 500 },
      });
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const { result } = await send('tasks/get', { taskId });
        if (!result) continue;
        expect(result.content[0].text).toBe('refunded');
        break;
      }
      expect(desk.refunds).toEqual([{ order: 'A1', amount: 500 }]);
      expect(desk.history).toEqual([]);
    });

    test('a call that a person refuses becomes no task', async () => {
      const { isError, taskId, content } = await send('tools/call', await decide('refuse'));
      expect([isError, taskId]).toEqual([true, undefined]);
      expect(content[0].text).toContain('A person has refused refund_later.');
      expect(desk.refunds).toEqual([]);
    });
  });
}
