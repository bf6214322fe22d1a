import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** What the tests do with a client, the same for every official client. */
export interface OfficialClient {
  /** Calls a tool. Returns its structured result, or its text. */
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  read(uri: string): Promise<string>;
  /** Subscribes to a resource. */
  watch(uri: string, onUpdate: () => void): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  user: string;
  /** What the user answers when the server asks for a name. */
  name?: string;
  fetch?: typeof fetch;
  /** Is called for each line that the server logs. */
  onLog?: (data: any) => void;
}

/** An official client in one of its modes. */
export interface Mode {
  name: string;
  connect(url: string, options: ConnectOptions): Promise<OfficialClient>;
}

const info = { name: 'fleet-test', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };

export const modes: Mode[] = [
  { name: 'client 2.4.0 on 2026-07-28', connect: (...args) => connectV2({ pin: '2026-07-28' }, ...args) },
  { name: 'client 2.4.0 on 2025-11-25', connect: (...args) => connectV2('legacy', ...args) },
  { name: 'sdk 1.32.2 on 2025-11-25', connect: connectV1 },
];

/** They come back at once, so that tests do not wait. */
const reconnectionOptions = {
  initialReconnectionDelay: 20,
  maxReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 50,
};

export async function connectV1(url: string, options: ConnectOptions): Promise<OfficialClient> {
  const client = new ClientV1(info, { capabilities });
  const updates = new Updates();
  client.setRequestHandler(ElicitRequestSchema, () => answerOf(options));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    options.onLog?.(params.data),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updates.tell(params.uri));
  await client.connect(new HttpV1(new URL(url), transportOptions(options)) as TransportV1);
  return {
    call: async (name, args) => valueOf(await client.callTool({ name, arguments: args ?? {} })),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    async watch(uri, onUpdate) {
      updates.on(uri, onUpdate);
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

async function connectV2(
  mode: 'legacy' | { pin: string },
  url: string,
  options: ConnectOptions,
): Promise<OfficialClient> {
  const client = new ClientV2(info, { versionNegotiation: { mode }, capabilities });
  const updates = new Updates();
  client.setRequestHandler('elicitation/create', () => answerOf(options));
  client.setNotificationHandler('notifications/message', ({ params }) => options.onLog?.(params.data));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.tell(params.uri));
  await client.connect(new HttpV2(new URL(url), transportOptions(options)));
  return {
    call: async (name, args) => valueOf(await client.callTool({ name, arguments: args ?? {} })),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    async watch(uri, onUpdate) {
      updates.on(uri, onUpdate);
      if (mode === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
    },
    close: () => client.close(),
  };
}

/** Who wants to know which resource has changed. */
class Updates {
  readonly #listeners = new Map<string, () => void>();

  on(uri: string, listener: () => void): void {
    this.#listeners.set(uri, listener);
  }

  tell(uri: string): void {
    this.#listeners.get(uri)?.();
  }
}

function transportOptions({ user, fetch }: ConnectOptions) {
  const requestInit = { headers: { Authorization: `Bearer ${user}` } };
  return { requestInit, reconnectionOptions, ...(fetch && { fetch }) };
}

function answerOf({ name }: ConnectOptions) {
  return name === undefined
    ? { action: 'decline' as const }
    : { action: 'accept' as const, content: { name } };
}

function valueOf(result: unknown): unknown {
  const { structuredContent, content, isError } = result as {
    structuredContent?: unknown;
    content: { text?: string }[];
    isError?: boolean;
  };
  if (isError) throw new Error(content[0]?.text);
  return structuredContent === undefined ? content[0]?.text : unwrapped(structuredContent);
}

/** On 2025-11-25 a structured result is an object: a text is the property `result` of one. */
function unwrapped(value: unknown): unknown {
  const isWrapped = typeof value === 'object' && value !== null && Object.keys(value).join() === 'result';
  return isWrapped ? (value as { result: unknown }).result : value;
}

function textOf(contents: readonly object[]): string {
  return String((contents[0] as { text?: unknown } | undefined)?.text ?? '');
}
