import type { Peer } from '@toolwright/core/transport';

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
