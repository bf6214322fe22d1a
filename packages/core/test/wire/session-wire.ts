import type { McpServer } from '@toolwright/core';
import {
  Cancellation,
  type EventSink,
  type EventStream,
  type OpenedSession,
  type Peer,
  type Reply,
  type Session,
} from '@toolwright/core/transport';
import { Inbox } from './inbox.js';

/** How a client opens its session. */
export interface SessionClient {
  revision?: string;
  capabilities?: object;
  subject?: string;
  ip?: string;
  /** False leaves `notifications/initialized` out. */
  initialized?: boolean;
}

/** What one connection to a stream was sent. */
export class RecordingSink implements EventSink {
  readonly inbox = new Inbox();
  readonly eventIds: (string | undefined)[] = [];
  isClosed = false;

  write(text: string, eventId?: string): void {
    this.eventIds.push(eventId);
    if (text !== '') this.inbox.put(text);
  }

  close(): void {
    this.isClosed = true;
  }
}

/** Speaks a revision with sessions to a server where each message comes by itself, as over HTTP. */
export class SessionWire {
  readonly opened: OpenedSession;
  readonly peer: Peer;
  private lastId = 100;

  constructor(
    private readonly server: McpServer,
    { revision = '2025-11-25', capabilities = {}, subject, ip, initialized = true }: SessionClient = {},
  ) {
    const principal = subject === undefined ? undefined : { subject, scopes: [] };
    this.peer = { principal, ip, transport: 'http' };
    const clientInfo = { name: 'test', version: '1' };
    const reading = this.read({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: revision, capabilities, clientInfo },
    });
    if (reading.kind !== 'initialize') throw new Error(`read as ${reading.kind}`);
    this.opened = server.protocol.openSession(reading.message, this.peer);
    if (initialized) this.hear({ method: 'notifications/initialized' });
  }

  get id(): string {
    return this.opened.session!.id;
  }

  /** The same client, which speaks to another process from now on. */
  at(server: McpServer): SessionWire {
    return Object.assign(Object.create(SessionWire.prototype) as SessionWire, this, { server });
  }

  /** Lets the process resume the session. What it answers when it does not is given back. */
  async resume(): Promise<Session | Reply | undefined> {
    return this.session ?? this.server.protocol.resumeSession(this.id, this.peer);
  }

  /** Undefined when the session has ended. */
  get session(): Session | undefined {
    return this.opened.session && this.server.protocol.findSession(this.id, this.peer.principal);
  }

  /** Sends a request, whose answer is sent to its stream. */
  open(
    method: string,
    params: object = {},
    sink = new RecordingSink(),
  ): { stream: EventStream; sink: RecordingSink } {
    const { protocol } = this.server;
    const session = this.session!;
    const reading = this.read({ jsonrpc: '2.0', id: this.lastId++, method, params });
    if (reading.kind !== 'stateful' || reading.message.kind !== 'request')
      throw new Error(`read as ${reading.kind}`);
    const stream = session.streams.open(reading.message.id);
    stream.attach(sink);
    const exchange = {
      peer: this.peer,
      cancellation: new Cancellation(),
      send: (text: string) => stream.send(text),
    };
    const { message } = reading;
    void (async () => {
      const reply = await protocol.serveStateful({ message, route: { session, canAsk: true } }, exchange);
      if (reply) stream.send(reply.text);
      session.streams.close(stream);
    })();
    return { stream, sink };
  }

  /** Sends a request and gives its answer. */
  async request(method: string, params: object = {}): Promise<any> {
    return this.open(method, params).sink.inbox.find((message) => message.method === undefined);
  }

  /** Sends what wants no answer. */
  hear(message: object): void {
    const reading = this.read({ jsonrpc: '2.0', ...message });
    const { session } = this;
    if (session && reading.kind === 'stateful' && reading.message.kind !== 'request')
      this.server.protocol.hear(session, reading.message);
  }

  private read(body: unknown) {
    return this.server.protocol.read(body, { peer: this.peer, header: () => undefined });
  }
}
