import type { McpServer, Principal } from '@toolwright/core';
import type { Connection } from '@toolwright/core/transport';

/** The newest revision of each era. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export type Json = Record<string, any>;

/** The parsed answer to a request. */
export interface Answer {
  readonly result?: Json;
  readonly error?: Json;
}

const META = 'io.modelcontextprotocol/';
const capabilities = {
  elicitation: { form: {}, url: {} },
  extensions: { [`${META}tasks`]: {}, [`${META}ui`]: { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const MOST_ROUNDS = 5;

/** One client on one connection. It shows each message of the protocol, so that a test sees single rounds. */
export class Wire {
  /** What the server has told without being asked. */
  readonly heard: Json[] = [];
  /** What the server has asked the person. */
  readonly questions: Json[] = [];
  /** What the person does with each question. */
  decide: () => 'accept' | 'decline' = () => 'accept';
  readonly #connection: Connection;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #capabilities: object;
  #id = 0;

  constructor(
    server: McpServer,
    private readonly era: Era,
    { principal, isPlain = false }: { principal: Principal | undefined; isPlain?: boolean },
  ) {
    this.#capabilities = isPlain ? {} : capabilities;
    const peer = { principal, ip: undefined, transport: 'memory' as const };
    this.#connection = server.protocol.connect(peer, (text) => this.#hear(JSON.parse(text) as Json));
    if (era === '2026-07-28') return;
    const clientInfo = { name: 'ways', version: '1' };
    void this.once('initialize', { protocolVersion: era, capabilities: this.#capabilities, clientInfo });
    this.#connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Sends a request, and answers what the server asks for it, in as many rounds as it takes. */
  async request(method: string, params: Json): Promise<Answer> {
    let answer = await this.once(method, params);
    for (let round = 0; answer.result?.['resultType'] === 'input_required' && round < MOST_ROUNDS; round++)
      answer = await this.once(method, { ...params, ...this.nextRound(answer.result) });
    return answer;
  }

  /** What the next round of a call adds to its parameters (2026-07-28). */
  nextRound({ inputRequests = {}, requestState }: Json): Json {
    const answers = Object.entries(inputRequests as Json).map(([key, { params }]) => [
      key,
      this.#answer(params),
    ]);
    return { inputResponses: Object.fromEntries(answers) as Json, requestState: requestState as string };
  }

  /** The id of the next request. */
  get upcomingId(): number {
    return this.#id + 1;
  }

  notify(method: string, params: Json): void {
    this.#connection.receive({ jsonrpc: '2.0', method, params: this.#enveloped(params) });
  }

  /** Sends a request once. Its answer may be a question. */
  once(method: string, params: Json): Promise<Answer> {
    const id = ++this.#id;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#connection.receive({ jsonrpc: '2.0', id, method, params: this.#enveloped(params) });
    return answer;
  }

  close(): void {
    this.#connection.close();
  }

  #enveloped(params: Json): Json {
    if (this.era !== '2026-07-28') return params;
    return {
      ...params,
      _meta: { [`${META}protocolVersion`]: this.era, [`${META}clientCapabilities`]: this.#capabilities },
    };
  }

  #hear(message: Json): void {
    const { id, method, params } = message;
    if (method === undefined) {
      this.#waiting.get(id as number)?.(message);
      this.#waiting.delete(id as number);
    } else if (id === undefined) this.heard.push(message);
    else this.#connection.receive({ jsonrpc: '2.0', id, result: this.#answer(params as Json) });
  }

  #answer(question: Json): Json {
    this.questions.push(question);
    const action = this.decide();
    const { properties } = (question['requestedSchema'] ?? {}) as { properties?: Json };
    if (action !== 'accept' || !properties) return { action };
    return { action, content: Object.fromEntries(Object.keys(properties).map((name) => [name, true])) };
  }
}

/** Lets everything happen that needs nobody any more. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
