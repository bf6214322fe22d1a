import { request } from 'node:http';
import { useFixture } from './support/serve-fixture.js';
import { deferred, modern, send } from './support/wire.js';

const service = useFixture({ maxBodyBytes: 1000 });

const hello = modern('tools/list');

test('a body above the limit is answered with 413, whether its length was announced or not', async () => {
  const { url } = service;
  const body = JSON.stringify({ padding: 'x'.repeat(2000) });
  expect((await send(url, { ...hello, body })).status).toBe(413);
  const answer = deferred<number | undefined>();
  const req = request(
    url,
    { method: 'POST', headers: { ...(hello.headers as object), 'content-type': 'application/json' } },
    (res) => {
      res.resume();
      answer.resolve(res.statusCode);
    },
  );
  req.on('error', () => undefined);
  req.write(body);
  await expect(answer.promise).resolves.toBe(413);
  req.destroy();
});

test('the answer to a body above the limit arrives, even if much of the body is still on its way', async () => {
  const { url } = service;
  for (let turn = 0; turn < 20; turn++) {
    const headers = { ...(hello.headers as object), 'content-type': 'application/json' };
    const answer = deferred<[status: number | undefined, text: string]>();
    const req = request(url, { method: 'POST', agent: false, headers }, (res) => {
      let text = '';
      res.on('data', (chunk) => (text += String(chunk)));
      res.on('end', () => answer.resolve([res.statusCode, text]));
    });
    // What is sent after the server has closed is no concern of this test.
    req.on('error', () => undefined);
    req.end('x'.repeat(4_000_000));
    const [status, text] = await answer.promise;
    expect([status, JSON.parse(text).error.code]).toEqual([413, -32600]);
  }
});
