import { type RefereeClient, referees } from '../../../../apps/pages/test/referees.js';
import { until } from '../../../../.ci/test/support/until.js';
import type { Fixture } from './fixture.js';

/** Every official client speaks to a fixture behind the endpoint of a framework. */
export function describeOfficialClients(served: () => { fixture: Fixture; url: URL }): void {
  describe.each(referees)('$name', ({ connect }) => {
    let client: RefereeClient;
    beforeAll(async () => {
      client = await connect({ url: served().url }, { answer: () => ({ name: 'Ada' }) });
    });
    afterAll(() => client.close());

    test('lists, calls and reads', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'ask']));
      const { content } = await client.callTool('echo', { text: 'hi' });
      expect(content).toEqual([{ type: 'text', text: 'hi' }]);
      expect((await client.readResource('test://plain')).contents[0]).toMatchObject({ text: 'plain' });
    });

    test('follows progress', async () => {
      const seen: unknown[] = [];
      await client.callTool('talk', {}, { onprogress: ({ message }) => seen.push(message) });
      expect(seen).toEqual(expect.arrayContaining(['half', 'all']));
    });

    test('is asked', async () => {
      expect((await client.callTool('ask', {})).content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
    });

    test('cancels a call', async () => {
      const going = new AbortController();
      const { gates } = served().fixture;
      const before = gates.aborted.length;
      const held = client.callTool('hold', { gate: 'a' }, { signal: going.signal });
      await until(() => gates.entered.length > before);
      going.abort();
      await expect(held).rejects.toThrow();
      await until(() => gates.aborted.length > before);
      expect(gates.aborted).toHaveLength(before + 1);
    });
  });
}
