import type { McpServer } from '@toolwright/core';
import { contentText } from '@toolwright/ground/call/results/shape-tool-result';
import { boot } from './support/booting.js';
import { RecordingSink } from './support/recording-sink.js';
import { StatefulWire } from './wire/stateful-wire.js';
import { StatelessWire } from './wire/stateless-wire.js';

const written = 'a "quoted" line,\n with € and \u2028\ud83d\n'.repeat(100);
/** Half a surrogate pair leaves neither in the answer nor in the log. */
const long = written.replaceAll('\ud83d', '\ufffd');

describe('a result of one long text, which the audit log and the answer share', () => {
  let sink: RecordingSink;
  let server: McpServer;

  beforeEach(async () => {
    sink = new RecordingSink();
    server = await boot({ services: [], audit: sink });
    server.tools.add({ name: 'read', annotations: { readOnlyHint: true }, handler: () => written });
    server.tools.add({
      name: 'pair',
      annotations: { readOnlyHint: true },
      handler: () => [block(long), block(long)],
    });
    server.tools.add({ name: 'erase', annotations: { destructiveHint: true }, handler: async () => written });
  });
  afterEach(() => server.close());

  const block = (text: string) => ({ type: 'text' as const, text });
  const lastResult = () => sink.records.at(-1)!.event.result;

  test.each(['read', 'erase'])('is whole in the answer of %s and in the log', async (name) => {
    const { result } = await new StatelessWire(server).call(name);
    expect(result.content).toEqual([block(long)]);
    expect(lastResult()).toBe(JSON.stringify({ content: [block(long)] }));
  });

  test('is whole for clients of older revisions', async () => {
    const wire = new StatefulWire(server);
    expect((await wire.call('read')).result).toEqual({ content: [block(long)] });
    expect(lastResult()).toBe(JSON.stringify({ content: [block(long)] }));
  });

  test('is not taken for a result with more in it', async () => {
    const { result } = await new StatelessWire(server).call('pair');
    expect(result.content).toEqual([block(long), block(long)]);
    expect(lastResult()).toEqual({ content: [block(long), block(long)] });
  });

  test('is written again when its text is another by then', () => {
    const before = { text: long, json: JSON.stringify({ content: [block(long)] }) };
    expect(contentText([block(long)], before)).toBe(JSON.stringify([block(long)]));
    expect(contentText([block('other')], before)).toBe(JSON.stringify([block('other')]));
    expect(contentText([{ ...block(long), _meta: {} }], before)).toContain('_meta');
  });
});
