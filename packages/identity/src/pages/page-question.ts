import type { Call } from '@toolwright/core';
import type { ServerStop } from '@toolwright/core/extend';
import { type Clock, monotonic } from '@toolwright/core/ports';

/**
 * How long a round of a stateless call waits for the person before it asks the client again, in milliseconds. Clients
 * give up a request after a minute.
 */
const ROUND_MS = 25_000;

/** How often another process is looked at that may have taken the answer, in milliseconds. */
const LOOK_MS = 1_000;

/** A question that a person answers on a page. The client shows the person the address of the page. */
export interface PageQuestion {
  readonly call: Pick<Call, 'request' | 'signal'>;
  /** Links the question to its call in all rounds. Unique within the call. */
  readonly key: string;
  readonly message: string;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** The address of the question. */
  address(id: string): string;
  /** Keeps the question. @returns its id; `undefined` when the caller has too many */
  open(): Promise<string | undefined>;
  /** True when the question is decided, or over. */
  isOver(id: string): Promise<boolean>;
  /** Calls `wake` when this process has decided the question. */
  watch(id: string, wake: () => void): () => void;
  /** Ends the question, because nobody waits for its answer any more. */
  withdraw(id: string): Promise<void>;
  /** Is called when no further round follows: the answer is there, or the call was given up. */
  close(id: string): void;
  /** Runs something that waits for a person. Meanwhile the deadline does not run. */
  wait<T>(run: (stop: ServerStop) => Promise<T>): Promise<T>;
}

/** How the waiting for a page has ended. What the page has decided is in its record. */
export interface PageAnswer {
  readonly id: string;
  /** `declined`: the client has ended the question. It can do no more than that. */
  readonly seen: 'decided' | 'declined';
  /** When the question ends. */
  readonly until: number;
}

/** What a call remembers from round to round. */
interface Asked {
  readonly id: string;
  readonly round: number;
  readonly until: number;
}

/** The question that an earlier round of this call has asked. */
export const askedBefore = ({ request }: PageQuestion['call'], key: string): string | undefined =>
  (request.input.recall(key)?.value as Asked | undefined)?.id;

/**
 * Has the client show the page, and waits until the question is decided there. On 2026-07-28 it may end the round, by
 * rejecting as `ctx.elicit` does.
 *
 * @returns `undefined` when the caller has too many questions
 */
export async function askOnPage(question: PageQuestion): Promise<PageAnswer | undefined> {
  const { input, era } = question.call.request;
  const earlier = input.recall(question.key)?.value as Asked | undefined;
  const until = earlier?.until ?? question.clock.now() + question.lifetimeMs;
  const id = earlier?.id ?? (await question.open());
  if (id === undefined) return undefined;
  try {
    const asked = { id, round: earlier?.round ?? 0, until };
    const answer = { id, seen: await waitForPage(question, asked), until };
    question.close(id);
    return answer;
  } catch (error) {
    // Another round may follow one that only ends.
    if (question.call.signal.aborted || era === 'stateful') question.close(id);
    throw error;
  }
}

async function waitForPage(question: PageQuestion, asked: Asked): Promise<PageAnswer['seen']> {
  const { id, round } = asked;
  const { input, era } = question.call.request;
  const asking = new Asking(question, id);
  if (era === 'stateful') return asking.inSession();
  const remember = (next: number) => input.remember(question.key, { ...asked, round: next } satisfies Asked);
  remember(round);
  const { action } = await asking.client(round);
  if (action !== 'accept') return 'declined';
  if (await asking.page(ROUND_MS)) return 'decided';
  // The client is asked again, so the round ends here.
  remember(round + 1);
  await asking.client(round + 1);
  return 'decided';
}

/** One question that is open. */
class Asking {
  constructor(
    private readonly question: PageQuestion,
    private readonly id: string,
  ) {}

  /** Asks the client to show the page. */
  client(round: number): Promise<Record<string, unknown>> {
    const { question, id } = this;
    const { message, call, key } = question;
    const url = question.address(id);
    const again = round === 0 ? '' : ' (The page is still open.)';
    const elicitationId = call.request.era === 'stateful' && { elicitationId: id };
    const params = { mode: 'url', message: message + again, url, ...elicitationId };
    return call.request.input.ask(`${key}.${round}`, 'elicitation/create', params);
  }

  /**
   * On older revisions, the client says at once that its person opens the page, or later, or never. So its answer and that
   * of the page are waited for together.
   */
  async inSession(): Promise<'decided' | 'declined'> {
    const { question, id } = this;
    return question.wait(async () => {
      const decided = this.page(question.lifetimeMs).then(() => 'decided' as const);
      const declined = new Promise<'declined'>((resolve) => {
        const end = () => resolve('declined');
        this.client(0).then(({ action }) => action !== 'accept' && end(), end);
      });
      const first = await Promise.race([decided, declined]);
      if (first === 'decided')
        question.call.request.notify('notifications/elicitation/complete', { elicitationId: id });
      return first;
    });
  }

  /**
   * Waits for the page. When the server stops, the round ends: the question stays open, and another process goes on with
   * it. Core ends the calls of older revisions.
   *
   * @returns true when the question is decided or over
   */
  page(longestMs: number): Promise<boolean> {
    const { question, id } = this;
    const { clock, call } = question;
    const canGoOn = call.request.era === 'stateless';
    return question.wait(async (stop) => {
      const until = monotonic(clock) + longestMs;
      for (;;) {
        const sleep = this.#sleep(Math.min(LOOK_MS, until - monotonic(clock)), stop);
        try {
          if (await this.#isOver()) return true;
          if (monotonic(clock) >= until || (canGoOn && stop.hasBegun)) return false;
          await sleep.over;
        } catch (error) {
          if (call.signal.aborted) await question.withdraw(id);
          throw error;
        } finally {
          sleep.end();
        }
      }
    });
  }

  /** A store that is away for a moment, such as for a restart, decides nothing. It is asked again. */
  async #isOver(): Promise<boolean> {
    try {
      return await this.question.isOver(this.id);
    } catch {
      return false;
    }
  }

  /**
   * Sleeps until this process has taken an answer, or it is time to look, or the server stops. Rejects when the call is given
   * up.
   */
  #sleep(ms: number, stop: ServerStop): { over: Promise<void>; end(): void } {
    const { question, id } = this;
    const { signal } = question.call;
    const { promise, resolve, reject } = withResolvers();
    const abort = () => reject(signal.reason as Error);
    // Nobody may be waiting yet when the call is given up.
    promise.catch(() => undefined);
    const stopClock = question.clock.after(Math.max(0, ms), resolve);
    const unwatch = question.watch(id, resolve);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const unwatchStop = stop.watch(resolve);
    const end = () => {
      stopClock();
      unwatch();
      signal.removeEventListener('abort', abort);
      unwatchStop();
    };
    return { over: promise, end };
  }
}

function withResolvers(): { promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
