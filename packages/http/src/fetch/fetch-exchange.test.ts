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
