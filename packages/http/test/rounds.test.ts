import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

// What a round is, is tested in core, without HTTP. These tests are about statuses and bodies.
let service: HttpService;
beforeEach(async () => {
  const { server } = await createFixture();
  service = await serveHttp(server, { port: 0, signals: false });
});
afterEach(() => service.close());

const capabilities = { elicitation: { form: {} } };
const accept = (name: unknown) => ({ action: 'accept', content: { name } });

test('MR3 a client that cannot be asked is refused with status 400', async () => {
  const { status, json } = await send(service.url, call('ask', {}, { capabilities: {} }));
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ code: -32021, data: { requiredCapabilities: capabilities } });
});

test('MR9 an answer under __proto__ of the body does not count', async () => {
  const { json } = await send(service.url, call('ask', {}, { capabilities }));
  const params = { requestState: json.result.requestState };
  const { headers, body } = call('ask', {}, { capabilities, params });
  const text = JSON.stringify(body).replace(
    '"name":"ask"',
    `"name":"ask","inputResponses":{"__proto__":{"who":${JSON.stringify(accept('Eve'))}}}`,
  );
  expect((await send(service.url, { headers, body: text })).json.result.resultType).toBe('input_required');
});
