import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, modern, send } from './support/wire.js';

let service: HttpService;
beforeAll(async () => {
  const { server } = await createFixture();
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

test('smoke', async () => {
  for (const request of [
    modern('server/discover'),
    modern('tools/list'),
    call('echo', { text: 'x' }),
    call('count'),
    call('fail'),
    call('serch'),
    call('talk', {}, { meta: { progressToken: 0, 'io.modelcontextprotocol/logLevel': 'info' } }),
    call('ask', {}, { capabilities: { elicitation: {} } }),
  ]) {
    const answer = await send(service.url, request);
    console.log(answer.status, answer.text);
  }
});
