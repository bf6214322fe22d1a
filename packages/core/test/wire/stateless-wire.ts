import type { McpServer } from '@toolwright/core';
import { Cancellation, type Peer, type Reply } from '@toolwright/core/transport';
import { Inbox } from './inbox.js';

/** What came back over the wire, parsed. */
export interface WireAnswer {
  // Answers are read like JSON: whatever the test asks for.
  result?: any;
  error?: { code: number; message: string; data?: Record<string, any> };
}

/** A request that is on its way. */
export interface OpenRequest {
  /** What the server says before its answer. */
  readonly inbox: Inbox;
  /** Undefined when the request was given up. */
  readonly answer: Promise<WireAnswer | undefined>;
  /** The client goes away. */
  giveUp(): void;
}

/** What a test bends of a request. */
export interface RequestParts {
  id?: unknown;
  params?: Record<string, unknown>;
  /** Beside the members that every request must have, or in their place. */
  meta?: Record<string, unknown>;
  /** In lower case; `undefined` leaves one out. */
  headers?: Record<string, string | undefined>;
}

type Params = Record<string, unknown>;

const REVISION = '2026-07-28';
const NOBODY: Peer = { principal: undefined, ip: undefined, transport: 'memory' };

/** What `Mcp-Name` repeats. */
const nameIn = (method: string, { name, uri, taskId }: Params) =>
  (method === 'resources/read' ? uri : (name ?? taskId)) as string | undefined;

const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Speaks 2026-07-28 to a server as a transport would, without any. */
export class StatelessWire {
  #id = 0;

  constructor(
    private readonly server: McpServer,
    private readonly peer: Peer = NOBODY,
    /** What the client says it can do. */
    private readonly capabilities: object = {},
  ) {}

  /** The wire of this user. */
  static of(server: McpServer, subject: string, capabilities: object = {}): StatelessWire {
    return new StatelessWire(server, { ...NOBODY, principal: { subject, scopes: [] } }, capabilities);
  }

  async request(method: string, params: Params = {}, parts: RequestParts = {}): Promise<WireAnswer> {
    return (await this.open(method, { ...parts, params }).answer)!;
  }

  async call(name: string, args: Params = {}, params: Params = {}): Promise<WireAnswer> {
    return this.request('tools/call', { name, arguments: args, ...params });
  }

  /** Sends a request without waiting for its answer. */
  open(method: string, { id = ++this.#id, params = {}, meta, headers }: RequestParts = {}): OpenRequest {
    const _meta = { ...envelope(this.capabilities), ...meta };
    const mirrored = {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': nameIn(method, params),
      ...headers,
    };
    return this.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, mirrored);
  }

  /** Sends any body at all. */
  send(body: unknown, headers: Record<string, string | undefined> = {}): OpenRequest {
    const inbox = new Inbox();
    const cancellation = new Cancellation();
    const giveUp = () => cancellation.abort(new Error('The client went away.'));
    const { protocol } = this.server;
    const reading = protocol.read(body, { peer: this.peer, header: (name) => headers[name] });
    if (reading.kind === 'refused') return { inbox, giveUp, answer: Promise.resolve(parse(reading.reply)) };
    if (reading.kind !== 'stateless') throw new Error(`read as ${reading.kind}`);
    const exchange = { peer: this.peer, cancellation, send: (text: string) => inbox.put(text) };
    const answer = (async () => parse(await protocol.serveStateless(reading.message, exchange)))();
    return { inbox, giveUp, answer };
  }
}

const parse = (reply: Reply | undefined) => reply && (JSON.parse(reply.text) as WireAnswer);
