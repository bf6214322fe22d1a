import type { Inside, InsideMethod } from '@toolwright/console/inside';
import type { McpServer } from '@toolwright/core';
import { FAILURE_OBSERVER, reasonOf } from '@toolwright/json';
import { describeFailedStart } from '../../app/child/describe-failure.js';
import type { ConsoleAnswer, ConsoleQuestion, DevLink, FromApp } from '../messages.js';

type InsideModule = typeof import('@toolwright/console/inside');

interface Failure {
  readonly reference: string;
  readonly error: unknown;
}

/**
 * The part of the console in the app. It loads nothing before there is a server, and what answers questions only with
 * the first question. It uses the servers' own methods, so the app may have another copy of core than `dev`.
 */
export class AppConsole {
  #module: InsideModule | undefined;
  #inside: Inside | undefined;
  #hasFailed = false;

  constructor(private readonly link: Pick<DevLink, 'on' | 'tell'>) {
    link.on('ask', (question) => void this.#answer(question));
    (globalThis as Record<symbol, unknown>)[FAILURE_OBSERVER] = ({ reference, error }: Failure) =>
      link.tell({ tell: 'failure', reference, text: describeFailedStart(error) });
  }

  /** Begins to watch a server. An app whose core is too old for this runs on without a console. */
  add(server: McpServer): void {
    try {
      this.#inside ??= this.#load();
      this.#inside.add(server);
      this.link.tell({ tell: 'servers', servers: this.#inside.summaries() });
    } catch (error) {
      if (!this.#hasFailed) process.stderr.write(`The console cannot watch this app: ${reasonOf(error)}\n`);
      this.#hasFailed = true;
    }
  }

  /** Services were replaced, so what servers list may have changed. */
  tellSurfaces(): void {
    for (const { id } of this.#inside?.summaries() ?? []) this.#happened({ type: 'surface', server: id });
  }

  #load(): Inside {
    // `require` is faster than `import()` here: the module is in CommonJS, and a server waits for it.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    this.#module = require('@toolwright/console/inside') as InsideModule;
    const inside = new this.#module.Inside((event) => this.#happened(event));
    inside.watch();
    return inside;
  }

  #happened(event: Extract<FromApp, { tell: 'happened' }>['event']): void {
    this.link.tell({ tell: 'happened', event });
  }

  async #answer({ question, method, params }: ConsoleQuestion): Promise<void> {
    const answer = await this.#ask(method as InsideMethod, params);
    this.link.tell({ tell: 'answered', question, answer });
  }

  async #ask(method: InsideMethod, params: object): Promise<ConsoleAnswer> {
    if (!this.#inside)
      return { is: 'refused', message: 'The app has created no server that the console can watch.' };
    try {
      return { is: 'result', result: await this.#inside.ask(method, params as never) };
    } catch (error) {
      const isRefusal = error instanceof this.#module!.ConsoleRefusal;
      return { is: isRefusal ? 'refused' : 'failed', message: reasonOf(error) };
    }
  }
}
