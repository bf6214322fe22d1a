import type { WireMessage } from '@toolwright/client';
import type { Peer } from '@toolwright/core/transport';
import assert from 'node:assert/strict';

/** One client of the transport under test. */
export interface TransportClient {
  /** Sends one message, or a text that should have been one. HTTP adds the headers that repeat it. */
  send(text: string): void;
  /** Goes away without a word, and no longer waits for anything. */
  leave(): void | Promise<void>;
}

/** A transport under test, serving the server that it was given. */
export interface TransportSubject {
  /** Who its clients are, as this transport says of each of them. */
  readonly peer: Pick<Peer, 'principal' | 'ip' | 'transport'>;
  /** True where clients hand over parsed messages, so that text that is not JSON cannot arrive. */
  readonly takesObjects?: boolean;
  /** Opens a client. `receive` gets each message that the server sends to it, in order. Called once for each test. */
  connect(receive: (text: string) => void): TransportClient | Promise<TransportClient>;
  /** Stops the transport as its users do: calls in flight finish, then everything is closed. May be called again. */
  close(): Promise<unknown>;
}

type Params = Record<string, unknown>;

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A client that keeps every message that it gets. */
export class RecordingClient {
  readonly messages: WireMessage[] = [];
  #client!: TransportClient;
  #id = 100;
  readonly #waiting = new Set<() => void>();

  static async connect(transport: TransportSubject): Promise<RecordingClient> {
    const recording = new RecordingClient();
    recording.#client = await transport.connect((text) => recording.#receive(text));
    return recording;
  }

  sendText(text: string): void {
    this.#client.send(text);
  }

  /** Sends a request of 2026-07-28 and returns its id. */
  request(method: string, params: Params = {}, meta: Params = {}): number {
    const id = this.#id++;
    const _meta = { ...envelope, ...meta };
    this.#client.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }));
    return id;
  }

  call(name: string, args: Params = {}, meta: Params = {}): number {
    return this.request('tools/call', { name, arguments: args }, meta);
  }

  /** The message at this position, counted from 1. */
  at(place: number): Promise<WireMessage> {
    return this.#until(() => this.messages[place - 1]);
  }

  answer(id: number): Promise<WireMessage> {
    return this.#until(() => this.messages.find((message) => message.id === id && !message.method));
  }

  /** The text of a call's answer. */
  async text(id: number): Promise<string> {
    const { result, error } = await this.answer(id);
    assert.equal(error, undefined);
    return (result!['content'] as { text: string }[])[0]!.text;
  }

  async leave(): Promise<void> {
    await this.#client.leave();
  }

  #receive(text: string): void {
    this.messages.push(JSON.parse(text) as WireMessage);
    for (const look of [...this.#waiting]) look();
  }

  #until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** The messages in the progress of calls. */
export function notificationsOf(messages: readonly WireMessage[]): unknown[] {
  return messages.filter(({ method }) => method !== undefined).map(({ params }) => params?.['message']);
}
