import type { McpServer } from '@toolwright/core';
import { systemUser } from '@toolwright/core/operate';
import { keyRemover } from '@toolwright/json';
import { type ConsoleEvent, ConsoleRefusal, type ParamsOf, type ResultOf } from '../api/console-api.js';
import type { ServerSummary } from '../api/overview-api.js';
import { hasChat } from './chat/load-chat.js';
import type { AuditLogs, InsideMethod, Part, PartHost } from './part.js';
import { isUnseen } from './unseen-client.js';
import { watchLists } from './watch-lists.js';

/**
 * The side of the console that runs in the process of the servers. It asks them, and tells what they do. What answers
 * questions is loaded with the first question, so that an app that is watched does not start later.
 */
export class Inside {
  readonly #servers = new Map<string, McpServer>();
  readonly #host: PartHost;
  #parts: Promise<Partial<Part<InsideMethod>>> | undefined;
  #watches: (() => void)[] | undefined;
  readonly #restListeners: (() => void)[] = [];
  readonly #tell: (event: ConsoleEvent) => void;

  /** @param tell hears everything that happens while servers are watched */
  constructor(tell: (event: ConsoleEvent) => void, auditLogs?: AuditLogs) {
    this.#tell = (event) => tell(withoutChatKey(event));
    this.#host = {
      auditLogs,
      server: (id) => this.#server(id),
      tell: this.#tell,
      onRest: (listener) => void this.#restListeners.push(listener),
      by: `console of ${systemUser()}`,
    };
  }

  /** Adds a server. Returns its id: its name, with a number if others have the same name. */
  add(server: McpServer): string {
    const { name } = server.info;
    let id = name;
    for (let number = 2; this.#servers.has(id); number++) id = `${name}-${number}`;
    this.#servers.set(id, server);
    this.#watches?.push(watchServer(id, server, this.#tell));
    return id;
  }

  /** Begins to report the events of all servers, also of servers that are added later. */
  watch(): void {
    this.#watches ??= [...this.#servers].map(([id, server]) => watchServer(id, server, this.#tell));
  }

  /** Tells nothing more. Servers that nobody watches pay nothing. */
  rest(): void {
    this.#watches?.forEach((stop) => stop());
    this.#watches = undefined;
    for (const listener of this.#restListeners) listener();
  }

  summaries(): ServerSummary[] {
    return [...this.#servers].map(([id, server]) => summaryOf(id, server));
  }

  /**
   * @param by who asks, as the audit log names them; default: the user of this process
   * @throws {ConsoleRefusal} when the request is wrong
   */
  async ask<M extends InsideMethod>(
    method: M,
    params: ParamsOf<M>,
    by = this.#host.by,
  ): Promise<ResultOf<M>> {
    this.#parts ??= import('./parts.js').then(({ partsOf }) => partsOf(this.#host));
    const answer = (await this.#parts)[method] as
      ((params: ParamsOf<M>, by: string) => ResultOf<M> | Promise<ResultOf<M>>) | undefined;
    if (!answer) throw new ConsoleRefusal(`There is no method "${method}".`);
    return withoutChatKey(await answer(params, by));
  }

  #server(id: string): McpServer {
    const found = this.#servers.get(id);
    if (found) return found;
    throw new ConsoleRefusal(
      `There is no server "${id}". There are: ${[...this.#servers.keys()].join(', ')}.`,
    );
  }
}

/** A tool may return the key of the model, whoever calls it. Nothing that leaves for the page has it. */
function withoutChatKey<T>(value: T): T {
  return keyRemover(process.env['TOOLWRIGHT_CHAT_KEY']?.trim())(value);
}

function summaryOf(id: string, server: McpServer): ServerSummary {
  const { name, title, version } = server.info;
  return { id, name, version, ...(title !== undefined && { title }), ...(hasChat() && { hasChat: true }) };
}

/** Tells everything that a server does. Sequence numbers are given where the records are kept. */
function watchServer(id: string, server: McpServer, tell: (event: ConsoleEvent) => void): () => void {
  const place = { server: id, run: 0 };
  const stopLists = watchLists(server, (event) => tell({ ...event, server: id }));
  const stops = [
    server.on('call', (trace) => tell({ type: 'call', call: { seq: 0, record: { ...trace, ...place } } })),
    server.on('message', (observed) => {
      if (!isUnseen(observed.client))
        tell({ type: 'message', message: { seq: 0, record: { ...observed, ...place } } });
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    stopLists();
  };
}
