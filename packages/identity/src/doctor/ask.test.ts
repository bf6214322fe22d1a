import { Wire } from './ask.js';

test.each(['text/event-stream', 'Text/Event-Stream; charset=utf-8'])(
  'the answer in a stream of the type %s is read, although the stream stays open',
  async (type) => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) =>
        stream.enqueue(new TextEncoder().encode('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n')),
    });
    const wire = new Wire(async () => new Response(body, { headers: { 'content-type': type } }), 1_000);
    const { json } = await wire.ask('endpoint-unreachable', 'http://127.0.0.1:9/mcp');
    expect(json).toMatchObject({ id: 1, result: {} });
  },
);
