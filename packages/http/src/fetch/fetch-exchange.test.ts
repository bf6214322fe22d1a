import { FetchExchange } from './fetch-exchange.js';

test('an answer in JSON waits for the rest of the turn of the event loop', async () => {
  const happened: string[] = [];
  const exchange = new FetchExchange(new Request('http://localhost/mcp'), undefined);
  void exchange.response.then(() => happened.push('answer'));
  setImmediate(() => happened.push('rest of the turn'));
  exchange.sendJson(200, '{}');
  expect(exchange.isAnswered).toBe(true);
  expect(await (await exchange.response).text()).toBe('{}');
  expect(happened).toEqual(['rest of the turn', 'answer']);
});

test('an answer that waits is not replaced by a second one', async () => {
  const exchange = new FetchExchange(new Request('http://localhost/mcp'), undefined);
  exchange.sendJson(200, '1');
  exchange.sendJson(500, '2');
  exchange.sendEmpty(202);
  exchange.drop();
  const { status } = await exchange.response;
  expect(status).toBe(200);
});

describe('a request that is answered without its body', () => {
  const post = (body: string, length = body.length) =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      body,
      headers: { 'content-length': String(length) },
    });
  const refuse = (request: Request, send = (exchange: FetchExchange) => exchange.sendJson(401, '{}')) =>
    send(new FetchExchange(request, undefined));

  test('has it read, so that its connection can be used again', () => {
    const request = post('{}');
    refuse(request);
    expect(request.bodyUsed).toBe(true);
  });

  test('has it read, too, when the answer is empty', () => {
    const request = post('{}');
    refuse(request, (exchange) => exchange.sendEmpty(403));
    expect(request.bodyUsed).toBe(true);
  });

  test('has nothing of it touched where it is large, since that alone makes adapters read', () => {
    const request = post('{}', 1_000_000);
    const body = jest.fn(() => null);
    Object.defineProperty(request, 'body', { get: body });
    refuse(request);
    expect(body).not.toHaveBeenCalled();
  });

  test.each([
    ['is large', post('{}', 1_000_000)],
    ['does not tell its length', new Request('http://localhost/mcp', { method: 'POST', body: '{}' })],
  ])('keeps it unread where it %s', (_, request) => {
    refuse(request);
    expect(request.bodyUsed).toBe(false);
  });
});
