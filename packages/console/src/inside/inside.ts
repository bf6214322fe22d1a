import type { McpServer } from '@toolwright/core';
import { ConsoleFault, type ConsoleMethod, type ParamsOf, type ResultOf } from '../api/console-api.js';
import type { ConsoleEvent } from '../api/events.js';
import type { ServerSummary } from '../api/overview-api.js';
import { callPart } from './calls/call-part.js';
import type { Part, PartHost } from './part.js';
import { summaryOf } from './server-summary.js';
import { surfacePart } from './surface/surface-part.js';
import { watchServer } from './watch-server.js';

/** The methods that are answered in the process of the servers. */
export type InsideMethod = Exclude<
  ConsoleMethod,
  'overview' | 'calls' | 'messages' | 'spans' | 'clearRecords' | 'contract' | 'origins' | 'openSource'
>;

/** The side of the console that runs in the process of the servers. It asks them, and tells what they do. */
export class Inside {
  readonly #servers = new Map<string, { readonly server: McpServer; readonly stop: () => void }>();
  readonly #parts: Partial<Part<InsideMethod>>;

  /** @param tell hears everything that happens */
  constructor(private readonly tell: (event: ConsoleEvent) => void) {
    const host: PartHost = { server: (id) => this.#server(id), tell };
    this.#parts = { ...surfacePart(host), ...callPart(host) };
  }

  /** Begins to watch a server. Returns its id: its name, with a number if others have the same name. */
  add(server: McpServer): string {
    const { name } = server.info;
    let id = name;
    for (let number = 2; this.#servers.has(id); number++) id = `${name}-${number}`;
    this.#servers.set(id, { server, stop: watchServer(id, server, this.tell) });
    return id;
  }

  /** Stops watching all servers. */
  close(): void {
    for (const { stop } of this.#servers.values()) stop();
    this.#servers.clear();
  }

  summaries(): ServerSummary[] {
    return [...this.#servers].map(([id, { server }]) => summaryOf(id, server));
  }

  /** @throws {ConsoleFault} when the request is wrong */
  async ask<M extends InsideMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const answer = this.#parts[method] as
      ((params: ParamsOf<M>) => ResultOf<M> | Promise<ResultOf<M>>) | undefined;
    if (!answer) throw new ConsoleFault(`There is no method "${method}".`);
    return await answer(params);
  }

  #server(id: string): McpServer {
    const found = this.#servers.get(id);
    if (found) return found.server;
    throw new ConsoleFault(`There is no server "${id}". There are: ${[...this.#servers.keys()].join(', ')}.`);
  }
}
