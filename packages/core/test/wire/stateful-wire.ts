import type { McpServer } from '@toolwright/core';
import type { Connection, Peer } from '@toolwright/core/transport';
import { Inbox } from './inbox.js';

/** How a client opens its connection. */
export interface StatefulClient {
  revision?: string;
  capabilities?: object;
  subject?: string;
  /** False leaves out `notifications/initialized`. */
  initialized?: boolean;
}

/** Talks to a server on a revision with a handshake, over its own connection, as a transport would. */
export class StatefulWire<Said extends { id: number } = any> {
  readonly inbox = new Inbox();
  private readonly connection: Connection;
  #id = 1000;

  /** The handshake is message 1. */
  constructor(
    server: McpServer,
    { revision = '2025-11-25', capabilities = {}, subject, initialized = true }: StatefulClient = {},
  ) {
    const principal = subject === undefined ? undefined : { subject, scopes: [] };
    const peer: Peer = { principal, ip: undefined, transport: 'memory' };
    this.connection = server.protocol.connect(peer, (text) => this.inbox.put(text));
    const clientInfo = { name: 'test', version: '1' };
    this.tell(1, 'initialize', { protocolVersion: revision, capabilities, clientInfo });
    if (initialized) this.notify('notifications/initialized');
  }

  /** The parsed messages of the server. */
  get said(): Said[] {
    return this.inbox.messages;
  }

  tell(id: number, method: string, params: object = {}): void {
    this.connection.receive({ jsonrpc: '2.0', id, method, params });
  }

  notify(method: string, params: object = {}): void {
    this.connection.receive({ jsonrpc: '2.0', method, params });
  }

  /** Sends any body. */
  send(body: unknown): void {
    this.connection.receive(body);
  }

  /** Answers a question of the server. */
  answer(id: string, answer: { result: unknown } | { error: unknown }): void {
    this.connection.receive({ jsonrpc: '2.0', id, ...answer });
  }

  /** The question with this method, as soon as the server has asked it. */
  question(method: string): Promise<any> {
    return this.inbox.find((message) => message.method === method && message.id !== undefined);
  }

  async request(method: string, params: object = {}): Promise<any> {
    const id = this.#id++;
    this.tell(id, method, params);
    return this.inbox.find((message) => message.id === id && message.method === undefined);
  }

  call(name: string, args: object = {}, meta?: object): Promise<any> {
    return this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  close(): void {
    this.connection.close();
  }
}
