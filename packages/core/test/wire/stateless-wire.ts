import type { McpServer } from '@toolwright/core';
import { Cancellation, type Peer, type Reply } from '@toolwright/core/transport';
import { Inbox } from './inbox.js';

/** The parsed answer. */
export interface WireAnswer {
  // Answers are read like JSON, so a test may read any member.
  result?: any;
  error?: { code: number; message: string; data?: Record<string, any> };
}

/** A request without an answer so far. */
export interface OpenRequest {
  /** The messages of the server before its answer. */
  readonly inbox: Inbox;
  /** Undefined if the request was cancelled. */
  readonly answer: Promise<WireAnswer | undefined>;
  /** The client goes away. */
  giveUp(): void;
}

/** What a test changes in a request. */
export interface RequestParts {
  id?: unknown;
  params?: Record<string, unknown>;
  /** Members in addition to, or instead of, those that every request must have. */
  meta?: Record<string, unknown>;
  /** In lower case; `undefined` leaves a header out. */
  headers?: Record<string, string | undefined>;
}

type Params = Record<string, unknown>;

const REVISION = '2026-07-28';
const NOBODY: Peer = { principal: undefined, ip: undefined, transport: 'memory' };

/** The value of `Mcp-Name`. */
const nameIn = (method: string, { name, uri, taskId }: Params) =>
  (method === 'resources/read' ? uri : (name ?? taskId)) as string | undefined;

export const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Talks to a server on 2026-07-28 as a transport would, without a transport. */
export class StatelessWire {
  #id = 0;

  constructor(
    private readonly server: McpServer,
    private readonly peer: Peer = NOBODY,
    /** The declared capabilities of the client. */
    private readonly capabilities: object = {},
  ) {}

  /** The same for this user. */
  static of(
    server: McpServer,
    subject: string,
    capabilities: object = {},
    scopes: string[] = [],
  ): StatelessWire {
    return new StatelessWire(server, { ...NOBODY, principal: { subject, scopes } }, capabilities);
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

  /** Sends any body. */
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
