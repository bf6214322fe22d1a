import type { ContextCall } from '@toolwright/core/extend';
import type { Clock } from '@toolwright/core/ports';
import { cutText } from '@toolwright/json';
import { ExchangeError } from '../exchange/exchange-error.js';
import { askedBefore, askOnPage, type PageQuestion } from '../pages/page-question.js';
import { QuestionQuota } from '../pages/question-quota.js';
import type { GrantHolder } from './grant-holder.js';
import type { GrantRequests } from './grant-requests.js';

/** What a person is asked to grant. */
export interface GrantWish {
  /** Links the question to its call in all rounds. */
  readonly key: string;
  readonly holder: GrantHolder;
  readonly resource: string;
  readonly scopes: readonly string[];
}

export interface AskForGrantSettings {
  readonly requests: GrantRequests;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** The address of a question. */
  address(id: string): string;
  /** Counts how questions end. */
  count(outcome: string): void;
}

/** Asks the caller on a page of the server, if the caller's client can show one. */
export class GrantAsking {
  readonly #quota: QuestionQuota;

  constructor(private readonly settings: AskForGrantSettings) {
    this.#quota = new QuestionQuota({ ...settings, questions: settings.requests });
  }

  /**
   * Has the person grant something. On 2026-07-28 it may end the round, by rejecting as `ctx.elicit` does.
   *
   * @param isGranted whether there is a grant by now, perhaps by the page of another call
   * @throws {ExchangeError} when the person cannot be asked, or has refused
   */
  async ask(call: ContextCall, wish: GrantWish, isGranted: () => Promise<boolean>): Promise<void> {
    const { requests, clock, lifetimeMs, address, count } = this.settings;
    const { resource, holder } = wish;
    const hindrance = findHindrance(call, resource);
    if (hindrance !== undefined) {
      count('unsupported');
      throw new ExchangeError('TW_TOKEN_GRANT', hindrance);
    }
    const question: PageQuestion = {
      call,
      clock,
      lifetimeMs,
      address,
      key: wish.key,
      message: `This tool needs your access to ${resource}. Open the page to sign in there.`,
      open: () => this.#quota.open(holder, () => this.#keep(call, wish)),
      isOver: async (id) => (await isGranted()) || requests.isOver(id),
      watch: (id, wake) => requests.watch(id, wake),
      withdraw: (id) => this.#withdraw(id),
      close: (id) => this.#quota.close(holder, id),
      wait: (run) => call.whileAway(run),
    };
    const asked = await askOnPage(question);
    if (!asked) throw tooMany();
    const { id, seen } = asked;
    const request = seen === 'declined' ? undefined : await requests.find(id);
    if (request?.status === 'granted') return;
    await question.withdraw(id);
    if (seen === 'decided' && (await isGranted())) return;
    count(seen === 'declined' ? 'withdrawn' : request?.status === 'refused' ? 'refused' : 'expired');
    throw new ExchangeError('TW_TOKEN_GRANT', explainEnd(resource, seen, request?.status));
  }

  /** An earlier round of this call may have asked, and what it asked for is there now. */
  async end(call: ContextCall, key: string, holder: GrantHolder): Promise<void> {
    const id = askedBefore(call, key);
    if (id === undefined) return;
    await this.#withdraw(id);
    this.#quota.close(holder, id);
  }

  async #withdraw(id: string): Promise<void> {
    await this.settings.requests.change(id, 'open', { status: 'withdrawn' });
  }

  #keep(call: ContextCall, wish: GrantWish): Promise<string> {
    const { info } = call.request.client;
    const client = info?.title ?? info?.name;
    this.settings.count('asked');
    const { holder, resource, scopes } = wish;
    return this.settings.requests.open({
      holder,
      resource,
      scopes,
      ...(client !== undefined && { client: cutText(client, 100) }),
      expires: this.settings.clock.now() + this.settings.lifetimeMs,
    });
  }
}

const tooMany = () =>
  new ExchangeError(
    'TW_TOKEN_GRANT',
    'Too many questions of this user are open. Wait until they are answered, or have ended.',
  );

/** Why the person cannot be asked. */
function findHindrance({ request }: ContextCall, resource: string): string | undefined {
  const { task, input } = request;
  if (task?.started && task.isQueued)
    return `The user has not granted access to ${resource}, and a durable task cannot ask for it: nobody waits for it. Call a tool that uses ${resource} without a task first, and then begin the task again.`;
  if (!input.supports('elicitation/create', 'url'))
    return `The user has not granted access to ${resource}, and this client cannot open the page for it (URL elicitation, from revision 2025-11-25 on). The user needs another client.`;
  return undefined;
}

function explainEnd(resource: string, seen: string, status: string | undefined): string {
  const advice = 'Do not try again unless the user asks for it.';
  if (seen === 'declined') return `The user did not open the page for ${resource}. ${advice}`;
  if (status === 'refused') return `The user did not grant access to ${resource}. ${advice}`;
  return `The user did not grant access to ${resource} in time. ${advice}`;
}
