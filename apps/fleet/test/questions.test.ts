import { randomUUID } from 'node:crypto';
import { readEvents } from '../src/load/event-reader.js';
import { callTool, openPost, openSession, post, type RpcMessage } from '../src/load/wire.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('People who are asked while a replica is replaced', {}, (test) => {
  const user = randomUUID();
  const ask = { name: 'ask', arguments: {} };

  it('A session learns at once that its call was stopped, and goes on at another replica', async () => {
    const [first] = test.fleet.replicas;
    const session = await openSession(first!.url, user, { elicitation: {} });
    const response = await openPost(first!.url, 'tools/call', ask, { user, session });
    const heard: RpcMessage[] = [];
    let stopped: Promise<void> | undefined;
    for await (const { message } of readEvents(response)) {
      if (message) heard.push(message);
      if (message?.method === 'elicitation/create') stopped = first!.stop();
    }
    await stopped;
    const [question] = heard.filter(({ method }) => method === 'elicitation/create');
    expect(heard).toContainEqual(
      expect.objectContaining({ method: 'notifications/cancelled', params: { requestId: question!.id } }),
    );
    expect(heard.at(-1)?.result?.content?.[0]?.text).toBe(
      'The server is stopping and ended the call of ask while it waited for an answer. It is safe to try again.',
    );
    const { status } = await callTool(test.fleet.url, 'whoami', {}, { user, session });
    expect(status).toBe(200);
    await first!.launch();
  });

  it('A call of 2026-07-28 goes on at another replica, over the balancer', async () => {
    const [first] = test.fleet.replicas;
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const asked = await post(first!.url, 'tools/call', { ...ask, _meta }, { user });
    const { requestState, inputRequests } = asked.message!.result!;
    await first!.stop();
    const [key] = Object.keys(inputRequests as object);
    const inputResponses = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    const answer = await post(
      test.fleet.url,
      'tools/call',
      { ...ask, _meta, requestState, inputResponses },
      { user },
    );
    expect(answer.message?.result?.content?.[0]?.text).toBe('Hello, Ada!');
    await first!.launch();
  });
});
