import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture } from './fixture.js';
import { envelope, modern, send, type WireRequest } from './wire.js';

/** A request that is refused, and how. */
export interface Refusal {
  row: string;
  request: WireRequest;
  status: number;
  code: number;
  /** Of the error; undefined: left out. */
  id?: unknown;
}

/** Tests that each request is refused as it says, by a server of their own. */
export function testRefusals(refusals: readonly Refusal[]): void {
  let service: HttpService;
  beforeAll(async () => {
    const { server } = await createFixture();
    service = await serveHttp(server, { port: 0, signals: false });
  });
  afterAll(() => service.close());

  test.each(refusals)('$row is refused with $status and $code', async ({ request, status, code, id }) => {
    const answer = await send(service.url, request);
    expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
    expect(answer.json.error.message).toEqual(expect.any(String));
    expect(Object.hasOwn(answer.json, 'id') ? answer.json.id : undefined).toEqual(id);
  });
}

export const raw = (body: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({ body, headers });
export const listHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
export const bare = modern('tools/list').body as { params: { _meta: Record<string, unknown> } };
/** A list request with some of its `_meta` changed. */
export const meta = (change: Record<string, unknown>) => modern('tools/list', { meta: change });
export const message = (rest: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/list',
  params: { _meta: envelope() },
  ...rest,
});
/** A value as a header carries it when it is not plain. */
export const encoded = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;
