import type { Principal } from '@toolwright/core';
import { digest, type Approval, type ApprovalAnswer, type AskForApproval } from '@toolwright/core/extend';
import type { Clock } from '@toolwright/core/ports';
import type { ApprovalRecord, ApprovalRecords, Person } from './approval-records.js';

/** Links a question to its call in all rounds. */
const KEY = 'toolwright.approval';

/** A person cannot judge more, in characters of JSON. */
const LONGEST_SHOWN = 32_768;

/** How many questions of one caller may be open at a time in this process. */
const MOST_OPEN = 20;

/**
 * How long a round of a stateless call waits for the person before it asks the client again, in milliseconds. Clients
 * give up a request after a minute.
 */
const ROUND_MS = 25_000;

/** How often another process is looked at that may have taken the answer, in milliseconds. */
const LOOK_MS = 1_000;

export interface AskSettings {
  readonly records: ApprovalRecords;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** The address of a question. */
  address(id: string): string;
  /** Counts how questions end. */
  count(outcome: string): void;
}

/** What a call remembers from round to round. */
interface Asked {
  readonly id: string;
  readonly round: number;
}

/**
 * Has a person approve a call on the page. Whatever the client answers, only the record counts, and only the page writes
 * an approval there. The client can end a question, but never answer it.
 */
export function askForApproval(settings: AskSettings): AskForApproval {
  const open = new OpenQuestions(settings.clock);
  return async (approval) => {
    const { input, principal } = approval.call.request;
    const hindrance = findHindrance(approval);
    if (hindrance !== undefined || !principal) {
      settings.count('unsupported');
      return { refused: 'unsupported', text: hindrance! };
    }
    const binding = digest([approval.binding, approval.approver]);
    const earlier = input.recall(KEY)?.value as Asked | undefined;
    const question = new Question(settings, approval, { binding, principal });
    if (!earlier && !open.add(principal)) {
      settings.count('refused');
      return refused(
        `${MOST_OPEN} questions of this user are open. Wait until they are answered, or have ended.`,
      );
    }
    const answer = await question.ask(earlier);
    open.remove(principal);
    settings.count('approvedBy' in answer ? 'approved' : 'refused');
    return answer;
  };
}

const refused = (text: string): ApprovalAnswer => ({ refused: 'refused', text });

/** Why nobody can approve this call. */
function findHindrance({ call, shown }: Approval): string | undefined {
  const { name } = call.operation;
  const { input, principal } = call.request;
  if (!principal)
    return `${name} needs the approval of a person, so it is only for callers who have signed in. Nothing was done.`;
  if (!input.supports('elicitation/create', 'url'))
    return `${name} needs the approval of a person on a web page, and this client cannot open one (URL elicitation). Nothing was done.`;
  if (JSON.stringify(shown).length > LONGEST_SHOWN)
    return `The arguments of ${name} are too long for a person to approve them. Nothing was done. Use shorter ones.`;
  return undefined;
}

/** One question about one call. */
class Question {
  constructor(
    private readonly settings: AskSettings,
    private readonly approval: Approval,
    private readonly bound: { readonly binding: string; readonly principal: Principal },
  ) {}

  async ask(earlier: Asked | undefined): Promise<ApprovalAnswer> {
    const { input, era } = this.approval.call.request;
    const id = earlier?.id ?? (await this.#open());
    const round = earlier?.round ?? 0;
    if (era === 'stateful') return this.#takeAnswer(id, await this.#askInSession(id));
    input.remember(KEY, { id, round } satisfies Asked);
    const { action } = await this.#askClient(id, round);
    if (action !== 'accept') return this.#takeAnswer(id, 'declined');
    if (await this.#wait(id, ROUND_MS)) return this.#takeAnswer(id, 'decided');
    // The client is asked again, so the round ends here.
    input.remember(KEY, { id, round: round + 1 } satisfies Asked);
    await this.#askClient(id, round + 1);
    return this.#takeAnswer(id, 'decided');
  }

  #open(): Promise<string> {
    const { settings, approval, bound } = this;
    const { operation, request } = approval.call;
    const { kind, name, title } = operation;
    const client = request.client.info?.title ?? request.client.info?.name;
    return settings.records.open({
      binding: bound.binding,
      operation: { kind, name, ...(title !== undefined && { title }) },
      message: approval.message,
      shown: approval.shown,
      caller: personOf(bound.principal),
      ...(client !== undefined && { client: client.slice(0, 100) }),
      rule: approval.approver,
      expires: settings.clock.now() + settings.lifetimeMs,
    });
  }

  #askClient(id: string, round: number): Promise<Record<string, unknown>> {
    const { message, call } = this.approval;
    const url = this.settings.address(id);
    const again = round === 0 ? '' : ' (The page is still open.)';
    const elicitationId = call.request.era === 'stateful' && { elicitationId: id };
    const params = { mode: 'url', message: message + again, url, ...elicitationId };
    return call.request.input.ask(`${KEY}.${round}`, 'elicitation/create', params);
  }

  /**
   * On older revisions, the client says at once that its person opens the page, or later, or never. So its answer and that
   * of the page are waited for together.
   */
  async #askInSession(id: string): Promise<'decided' | 'declined'> {
    const { call, wait } = this.approval;
    return wait(async () => {
      const decided = this.#wait(id, this.settings.lifetimeMs).then(() => 'decided' as const);
      const declined = new Promise<'declined'>((resolve) => {
        const end = () => resolve('declined');
        this.#askClient(id, 0).then(({ action }) => action !== 'accept' && end(), end);
      });
      const first = await Promise.race([decided, declined]);
      if (first === 'decided')
        call.request.notify('notifications/elicitation/complete', { elicitationId: id });
      return first;
    });
  }

  /** @returns true when the question is decided or over */
  #wait(id: string, longestMs: number): Promise<boolean> {
    const { approval, settings } = this;
    return approval.wait(async () => {
      const until = settings.clock.now() + longestMs;
      for (;;) {
        const sleep = this.#sleep(id, Math.min(LOOK_MS, until - settings.clock.now()));
        try {
          const record = await settings.records.find(id);
          if (record?.status !== 'open' || record.expires <= settings.clock.now()) return true;
          if (settings.clock.now() >= until) return false;
          await sleep.over;
        } catch (error) {
          if (approval.call.signal.aborted) await this.#withdraw(id);
          throw error;
        } finally {
          sleep.end();
        }
      }
    });
  }

  /** Sleeps until this process has taken an answer, or it is time to look. Rejects when the call is given up. */
  #sleep(id: string, ms: number): { over: Promise<void>; end(): void } {
    const { signal } = this.approval.call;
    const { records, clock } = this.settings;
    const { promise, resolve, reject } = withResolvers();
    const abort = () => reject(signal.reason as Error);
    // Nobody may be waiting yet when the call is given up.
    promise.catch(() => undefined);
    const stopClock = clock.after(Math.max(0, ms), resolve);
    const unwatch = records.watch(id, resolve);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const end = () => {
      stopClock();
      unwatch();
      signal.removeEventListener('abort', abort);
    };
    return { over: promise, end };
  }

  /** Uses the approval up. What the client said counts only if it ends the question. */
  async #takeAnswer(id: string, seen: 'decided' | 'declined'): Promise<ApprovalAnswer> {
    const { records } = this.settings;
    const { name } = this.approval.call.operation;
    const advice = 'Nothing was done. Do not try again unless the user asks for it.';
    if (seen === 'declined') await this.#withdraw(id);
    const used = seen === 'decided' ? await this.#use(id) : undefined;
    if (used?.by) return { approvedBy: { ...used.by, scopes: [] } };
    const status = seen === 'declined' ? 'withdrawn' : (await records.find(id))?.status;
    switch (status) {
      case 'refused':
        return refused(`A person has refused ${name}. ${advice}`);
      case 'closed':
        return refused(`The page was closed, so nobody has approved ${name}. ${advice}`);
      case 'withdrawn':
        return refused(`The user did not open the page, so nobody has approved ${name}. ${advice}`);
      default:
        return refused(`Nobody has approved ${name} in time. ${advice}`);
    }
  }

  async #use(id: string): Promise<ApprovalRecord | undefined> {
    const { records } = this.settings;
    const record = await records.find(id);
    if (record?.status !== 'approved' || record.binding !== this.bound.binding) return undefined;
    return records.change(id, 'approved', { status: 'used' });
  }

  async #withdraw(id: string): Promise<void> {
    await this.settings.records.change(id, 'open', { status: 'withdrawn' });
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

export function personOf({ issuer, subject, clientId, tenant }: Principal): Person {
  return {
    ...(issuer !== undefined && { issuer }),
    subject,
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** Counts the open questions of each caller, so that nobody fills the store. */
class OpenQuestions {
  readonly #open = new Map<string, number[]>();

  constructor(private readonly clock: Clock) {}

  /** @returns false when the caller has too many */
  add(principal: Principal): boolean {
    const key = keyOf(principal);
    const now = this.clock.now();
    const open = (this.#open.get(key) ?? []).filter((opened) => opened > now - FORGOTTEN_MS);
    if (open.length >= MOST_OPEN) return false;
    this.#open.set(key, [...open, now]);
    return true;
  }

  remove(principal: Principal): void {
    const key = keyOf(principal);
    const [, ...rest] = this.#open.get(key) ?? [];
    if (rest.length > 0) this.#open.set(key, rest);
    else this.#open.delete(key);
  }
}

/** A call that ended between two rounds never says so. */
const FORGOTTEN_MS = 600_000;

const keyOf = ({ issuer = '', subject, tenant = '' }: Principal) => JSON.stringify([issuer, subject, tenant]);
