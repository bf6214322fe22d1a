import { useLegacyService } from '../support/legacy-service.js';

const { connect } = useLegacyService();
const capabilities = { elicitation: {} };
const accept = { action: 'accept', content: { name: 'Eve' } };
const revision = '2025-11-25';

test('on older revisions an answer counts once, for the session that was asked', async () => {
  const [ada, eve] = [await connect(revision, { capabilities }), await connect(revision, { capabilities })];
  const stream = await ada.streamed('tools/call', { name: 'ask' });
  const { message } = await stream.event(2);
  const answer = { jsonrpc: '2.0', id: message.id };
  await eve.post({ ...answer, result: accept });
  await ada.post({ ...answer, result: { action: 'accept', content: { name: 'Ada' } } });
  await ada.post({ ...answer, result: accept });
  expect((await stream.event(3)).message.result.content[0].text).toBe('Hello, Ada!');
  await stream.ended();
});

test('on older revisions nobody can guess the id of a question that was not sent yet', async () => {
  const client = await connect(revision, { capabilities });
  const ids = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    const stream = await client.streamed('tools/call', { name: 'ask' });
    const { message } = await stream.event(2);
    ids.add(message.id);
    await client.post({ jsonrpc: '2.0', id: message.id, result: { action: 'decline' } });
    await stream.ended();
  }
  expect(ids.size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^server-[\w-]{16}$/);
});
