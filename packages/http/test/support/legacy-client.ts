import { LiveStream } from './live-stream.js';
import { send, type Json, type WireAnswer } from './wire.js';

/** A client of the older era, byte by byte. */
export class LegacyClient {
  #id = 100;

  private constructor(
    readonly url: string,
    readonly revision: string,
    readonly session: string,
    /** The result of `initialize`. */
    readonly welcome: Json,
    private readonly extra: Record<string, string>,
  ) {}

  static async connect(
    url: string,
    revision: string,
    { capabilities = {}, headers = {} }: { capabilities?: Json; headers?: Record<string, string> } = {},
  ): Promise<LegacyClient> {
    const answer = await send(url, { body: initialize(revision, capabilities), headers });
    const session = String(answer.headers['mcp-session-id']);
    const client = new LegacyClient(url, revision, session, answer.json.result, headers);
    await client.notify('notifications/initialized');
    return client;
  }

  get headers(): Record<string, string> {
    return {
      'mcp-session-id': this.session,
      ...(this.revision >= '2025-06-18' && { 'mcp-protocol-version': this.revision }),
      ...this.extra,
    };
  }

  request(method: string, params: Json = {}, id: unknown = this.#id++): Promise<WireAnswer> {
    return this.post({ jsonrpc: '2.0', id, method, params });
  }

  call(name: string, args: Json = {}, meta?: Json): Promise<WireAnswer> {
    return this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  notify(method: string, params: Json = {}): Promise<WireAnswer> {
    return this.post({ jsonrpc: '2.0', method, params });
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<WireAnswer> {
    return send(this.url, { body, headers: { ...this.headers, ...headers } });
  }

  stream(headers: Record<string, string> = {}): Promise<LiveStream> {
    return LiveStream.open(this.url, { method: 'GET', headers: { ...this.headers, ...headers } });
  }

  /** A request whose answer is read as it comes. */
  streamed(method: string, params: Json, id: unknown = this.#id++): Promise<LiveStream> {
    return LiveStream.open(this.url, { headers: this.headers, body: { jsonrpc: '2.0', id, method, params } });
  }
}

export function initialize(protocolVersion: string, capabilities: Json = {}, id: unknown = 1): Json {
  const clientInfo = { name: 'test', version: '1' };
  return { jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion, capabilities, clientInfo } };
}
