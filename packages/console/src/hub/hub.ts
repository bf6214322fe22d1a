import {
  type ConsoleApi,
  type ConsoleEvent,
  ConsoleRefusal,
  type ConsoleMethod,
  type ParamsOf,
  type ResultOf,
  methodAccess,
} from '../api/console-api.js';
import type { Access, Overview } from '../api/overview-api.js';
import type { EvaluationApi } from '../api/evaluation-api.js';
import type { ProjectApi } from '../api/project-api.js';
import type { SignInApi } from '../api/sign-in-api.js';
import type { RecordedSpan } from '../api/record-api.js';
import type { InsideMethod } from '../inside/part.js';
import { Recordings } from './recordings.js';

/** Asks the process of the servers, wherever it is. */
export type AskInside = <M extends InsideMethod>(
  method: M,
  params: ParamsOf<M>,
  by?: string,
) => Promise<ResultOf<M>>;

/** The methods that only a project can answer. */
export type ProjectMethods = ProjectApi & EvaluationApi & SignInApi;

export interface HubOptions {
  readonly access: readonly Access[];
  readonly askInside: AskInside;
  readonly project?: ProjectMethods;
  readonly overview: () => Overview;
  /** Hears when the first listener comes, and when the last one has gone. */
  readonly watched?: (isWatched: boolean) => void;
}

/**
 * The middle of a console. It keeps what was recorded, passes questions to whoever can answer them, and tells events to
 * all who listen: pages and agents.
 */
export class Hub {
  readonly recordings = new Recordings();
  readonly #listeners = new Set<(event: ConsoleEvent) => void>();

  constructor(private readonly options: HubOptions) {}

  /** The methods that this console answers at all. */
  allows(method: ConsoleMethod): boolean {
    return this.options.access.includes(methodAccess[method]);
  }

  /**
   * Answers a question.
   *
   * @param by who asks, as the audit log names them; default: the user of the process
   * @throws {ConsoleRefusal} when this console does not answer it, or the request is wrong
   */
  async ask<M extends ConsoleMethod>(method: M, params: ParamsOf<M>, by?: string): Promise<ResultOf<M>> {
    if (!this.allows(method))
      throw new ConsoleRefusal(
        `This console does not allow "${method}": it allows ${this.options.access.join(', ')}.`,
      );
    if ('as' in params && params.as !== undefined && !this.options.access.includes('call'))
      throw new ConsoleRefusal('This console plays no other caller: it does not allow "call".');
    // Who has a key calls as its subject, for as long as the key lives.
    if (method === 'createKey' && !this.options.access.includes('call'))
      throw new ConsoleRefusal('This console makes no keys: it does not allow "call".');
    const { project, overview } = this.options;
    const here: Partial<ConsoleApi> = { ...this.recordings.api, ...project, overview };
    const answer = here[method] as ((params: ParamsOf<M>) => ResultOf<M> | Promise<ResultOf<M>>) | undefined;
    if (answer) return await answer(params);
    return (await this.options.askInside(method as InsideMethod, params as never, by)) as ResultOf<M>;
  }

  /** Takes what happened in the process of the servers, records it, and tells it to all listeners. */
  hear(event: ConsoleEvent): void {
    const recorded = this.recordings.record(event);
    for (const listener of this.#listeners) listener(recorded);
  }

  /** Takes spans that the app exported, and tells of which traces they are. */
  takeSpans(spans: readonly RecordedSpan[]): void {
    if (spans.length === 0) return;
    for (const span of spans) this.recordings.addSpan(span);
    this.hear({ type: 'spans', traceIds: [...new Set(spans.map(({ traceId }) => traceId))] });
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: ConsoleEvent) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.options.watched?.(true);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.options.watched?.(false);
    };
  }
}
