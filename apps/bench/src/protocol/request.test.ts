import { wireRequest, type Conversation, type Question } from './request.js';

const call: Question = { method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } };
const wire = (talk: Conversation, question = call) => {
  const { headers, body } = wireRequest(question, 5, talk);
  return { headers, message: JSON.parse(body) as { id?: number; params: Record<string, unknown> } };
};

test('2026-07-28 mirrors method and name in headers and says who speaks in each request', () => {
  const { headers, message } = wire({ dialect: 'modern' });
  expect(headers).toMatchObject({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'add',
  });
  expect(message.params._meta).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
});

test('2025-11-25 names its session, and has no envelope', () => {
  const { headers, message } = wire({ dialect: 'session', session: 's1' });
  expect(headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 's1' });
  expect(headers).not.toHaveProperty('mcp-method');
  expect(message.params).not.toHaveProperty('_meta');
});

test('progress is asked for under the id of the request', () => {
  const { message } = wire({ dialect: 'stateless' }, { ...call, progress: true });
  expect(message.params._meta).toEqual({ progressToken: 5 });
});

test('without an id it is a notification', () => {
  expect(JSON.parse(wireRequest(call, undefined, { dialect: 'stateless' }).body)).not.toHaveProperty('id');
});
