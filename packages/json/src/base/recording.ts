import { isObject, keepNewest, present } from './json-values.js';

/** The version of the format of recordings. A reader refuses others. */
export const RECORDING_FORMAT = 1;

/** The first line of a recording: JSON Lines, of which each further one is a message. */
export interface RecordingHeader {
  readonly recording: number;
  readonly server: { readonly name: string; readonly version: string };
  /** When it began, in milliseconds since the epoch. The times of messages count from there. */
  readonly began: number;
  /** The newest revision of the protocol that the server spoke. */
  readonly revision?: string;
  /** A digest of the tools that the server had, as 16 characters. */
  readonly contract?: string;
  /** Whether each tool said that it only reads, by its name: a client may never ask for the list, and files may be thrown away. */
  readonly reads?: Readonly<Record<string, boolean>>;
}

/** A message as `server.on('message')` tells it. Sensitive values are hidden already. */
export interface SeenMessage {
  readonly at: number;
  readonly direction: 'received' | 'sent';
  readonly transport: string;
  readonly channel: string;
  readonly principal?: RecordedPrincipal | undefined;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly message: unknown;
}

/** What is known of a caller. A recording has neither tokens nor scopes nor claims. */
export interface RecordedPrincipal {
  readonly subject: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly tenant?: string;
}

/** A message of a recording. */
export interface RecordedLine extends SeenMessage {
  /** The revision of its channel, as soon as it is known. */
  readonly revision?: string | undefined;
  /** What the client can answer: `elicitation`, `roots`, `sampling`. */
  readonly answers?: readonly string[] | undefined;
}

/** How many channels are remembered. Over HTTP, each request of the newest revision is one. */
const MAX_CHANNELS = 10_000;

/** How many ids of one channel are remembered: those of requests without an answer. */
const MAX_IDS = 1_000;

const META = 'io.modelcontextprotocol/';

/**
 * Makes lines of messages. Times count from the beginning; channels and ids of JSON-RPC are numbered in the order in
 * which they come. So two recordings of the same traffic have the same lines, as far as the server answers the same.
 */
export class RecordingLines {
  #named = 0;
  readonly #channels = new Map<string, RecordedChannel>();

  constructor(private readonly began: number) {}

  of({ at, direction, transport, channel, principal, client, message }: SeenMessage): RecordedLine {
    const known = this.#channels.get(channel) ?? new RecordedChannel(String(++this.#named));
    keepNewest(this.#channels, channel, known, MAX_CHANNELS);
    const equal = known.equal(direction, message);
    const { name, revision, answers } = known;
    return present({
      at: Math.max(0, at - this.began),
      direction,
      transport,
      channel: name,
      revision,
      answers,
      principal,
      client,
      message: equal,
    });
  }
}

type Members = Readonly<Record<string, unknown>>;

/** One connection, session or request, and what is known of it from its messages. */
class RecordedChannel {
  revision: string | undefined;
  answers: readonly string[] | undefined;
  readonly #ids = new Map<string, number>();
  #count = 0;

  constructor(readonly name: string) {}

  /** The message with numbers for ids, and without what only its connection needs. */
  equal(direction: SeenMessage['direction'], message: unknown): unknown {
    if (!isObject(message)) return message;
    this.#learn(message);
    const { id, method, params } = message;
    const isRequest = typeof method === 'string';
    const asker = isRequest === (direction === 'received') ? 'client' : 'server';
    return {
      ...message,
      ...(id !== undefined &&
        id !== null && { id: this.#numberOf(`${asker} ${JSON.stringify(id)}`, isRequest) }),
      ...(isObject(params) && { params: this.#paramsOf(params, asker) }),
    };
  }

  #paramsOf(params: Members, asker: string): Members {
    const { _meta: _, progressToken: __, requestId, ...rest } = params;
    if (requestId === undefined) return rest;
    return { ...rest, requestId: this.#numberOf(`${asker} ${JSON.stringify(requestId)}`, true) };
  }

  /** @param stays false for an answer: nothing refers to its id any more */
  #numberOf(key: string, stays: boolean): number {
    const number = this.#ids.get(key) ?? ++this.#count;
    if (stays) keepNewest(this.#ids, key, number, MAX_IDS);
    else this.#ids.delete(key);
    return number;
  }

  #learn({ method, params, result }: Members): void {
    if (isObject(result) && isObject(result['serverInfo'])) this.revision = textOf(result['protocolVersion']);
    if (!isObject(params)) return;
    const { _meta: meta, capabilities } = params;
    if (method === 'initialize') this.answers = answersOf(capabilities);
    if (!isObject(meta) || meta[`${META}protocolVersion`] === undefined) return;
    this.revision = textOf(meta[`${META}protocolVersion`]);
    this.answers = answersOf(meta[`${META}clientCapabilities`]);
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function answersOf(capabilities: unknown): readonly string[] | undefined {
  if (!isObject(capabilities)) return undefined;
  const found = ['elicitation', 'roots', 'sampling'].filter((each) => isObject(capabilities[each]));
  return found.length > 0 ? found : undefined;
}
