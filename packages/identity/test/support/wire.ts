import type { McpServer, Principal } from '@toolwright/core';

export type Json = Record<string, any>;

const META = 'io.modelcontextprotocol/';

/** A client that sends what it likes, message by message. */
export class Wire {
  readonly heard: Json[] = [];
  #id = 0;
  readonly #open = new Map<number, (answer: Json) => void>();
  readonly #connection: { receiveText(text: string): unknown; close(): void };
  /** Answers what the server asks in the middle of a call (2025-11-25). */
  answer: (asked: Json) => Json | undefined = () => undefined;

  /** @param capabilities what a client of 2026-07-28 declares besides pages */
  constructor(
    server: McpServer,
    principal: Principal | undefined,
    private readonly capabilities: Json = {},
  ) {
    const context = { principal, ip: undefined, transport: 'memory' } as const;
    this.#connection = server.protocol.connect(context, (text) =>
      queueMicrotask(() => this.#receive(JSON.parse(text) as Json)),
    );
  }

  /** A client of 2025-11-25 that has shaken hands. */
  static async session(server: McpServer, principal: Principal | undefined): Promise<Wire> {
    const wire = new Wire(server, principal);
    await wire.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { url: {} } },
      clientInfo: { name: 'forger', version: '1' },
    });
    wire.send({ method: 'notifications/initialized' });
    return wire;
  }

  /** The id of the last request. */
  get lastId(): number {
    return this.#id;
  }

  /** The answer, whole: with `result` or `error`. */
  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#id;
    const answer = new Promise<Json>((resolve) => this.#open.set(id, resolve));
    this.send({ id, method, params });
    return answer;
  }

  /** A call of 2026-07-28. */
  call(name: string, args: Json, params: Json = {}): Promise<Json> {
    const _meta = {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientInfo`]: { name: 'forger', version: '1' },
      [`${META}clientCapabilities`]: { elicitation: { url: {} }, ...this.capabilities },
    };
    return this.request('tools/call', { name, arguments: args, ...params, _meta });
  }

  send(message: Json): void {
    this.#connection.receiveText(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  close(): void {
    this.#connection.close();
  }

  #receive(message: Json): void {
    this.heard.push(message);
    if (message['method'] !== undefined && message['id'] !== undefined) {
      const result = this.answer(message);
      if (result) this.send({ id: message['id'], result });
      return;
    }
    this.#open.get(message['id'] as number)?.(message);
  }
}
