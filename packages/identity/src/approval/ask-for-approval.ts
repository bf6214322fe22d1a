import type { Principal } from '@toolwright/core';
import {
  digest,
  type Approval,
  type ApprovalAnswer,
  type ApprovalRefusal,
  type AskForApproval,
} from '@toolwright/core/extend';
import type { Clock } from '@toolwright/core/ports';
import { cutText } from '@toolwright/json';
import { askOnPage, type PageAnswer } from '../pages/page-question.js';
import { MOST_OPEN, QuestionQuota } from '../pages/question-quota.js';
import type { ApprovalHistory, NamedQuestion } from './approval-history.js';
import { type ApprovalRecord, type ApprovalRecords, neededOf, personOf } from './approval-records.js';

/** Links a question to its call in all rounds. */
const KEY = 'toolwright.approval';

/** A person cannot judge more, in characters of JSON. */
const LONGEST_SHOWN = 32_768;

export interface AskSettings {
  readonly records: ApprovalRecords;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** The address of a question. */
  address(id: string): string;
  /** Counts how questions end. */
  count(outcome: string): void;
  readonly history: ApprovalHistory;
  /** Is called when a question has opened. */
  opened(question: NamedQuestion): void;
}

/**
 * Has a person approve a call on the page. Whatever the client answers, only the record counts, and only the page writes
 * an approval there. The client can end a question, but never answer it.
 */
export function askForApproval(settings: AskSettings): AskForApproval {
  const quota = new QuestionQuota({ ...settings, questions: settings.records });
  return async (approval) => {
    const { principal } = approval.call.request;
    const hindrance = findHindrance(approval);
    if (hindrance !== undefined || !principal) {
      settings.count('unsupported');
      return { refused: 'unsupported', text: hindrance! };
    }
    const binding = digest([approval.binding, approval.approver]);
    const answer = await new Question(settings, approval, { binding, principal, quota }).ask();
    settings.count('approvedBy' in answer ? 'approved' : answer.isLate ? 'expired' : 'refused');
    return answer;
  };
}

/** An answer, and whether nobody has decided in time. */
type Ended = Exclude<ApprovalAnswer, ApprovalRefusal> | (ApprovalRefusal & { readonly isLate?: true });

const refused = (text: string): Ended => ({ refused: 'refused', text });

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

interface Bound {
  readonly binding: string;
  readonly principal: Principal;
  readonly quota: QuestionQuota;
}

/** One question about one call. */
class Question {
  constructor(
    private readonly settings: AskSettings,
    private readonly approval: Approval,
    private readonly bound: Bound,
  ) {}

  async ask(): Promise<Ended> {
    const { approval, settings } = this;
    const { principal, quota } = this.bound;
    const { records, clock, lifetimeMs, address } = settings;
    const asked = await askOnPage({
      call: approval.call,
      key: KEY,
      message: approval.message,
      clock,
      lifetimeMs,
      address,
      open: () => quota.open(principal, () => this.#open()),
      isOver: (id) => records.isOver(id),
      watch: (id, wake) => records.watch(id, wake),
      withdraw: (id) => this.#withdraw(id),
      close: (id) => quota.close(principal, id),
      wait: (run) => approval.wait(run),
    });
    if (asked) return this.#takeAnswer(asked);
    return refused(
      `${MOST_OPEN} questions of this user are open. Wait until they are answered, or have ended.`,
    );
  }

  async #open(): Promise<string> {
    const { settings } = this;
    const now = settings.clock.now();
    const record = this.#record(now, now + settings.lifetimeMs);
    const id = await settings.records.open(record);
    settings.opened({ id, record: { ...record, status: 'open' } });
    return id;
  }

  #record(opened: number, expires: number): Omit<ApprovalRecord, 'status'> {
    const { approval, bound } = this;
    const { operation, request } = approval.call;
    const { kind, name, title } = operation;
    const client = request.client.info?.title ?? request.client.info?.name;
    return {
      binding: bound.binding,
      operation: { kind, name, ...(title !== undefined && { title }) },
      message: approval.message,
      shown: approval.shown,
      caller: personOf(bound.principal),
      ...(client !== undefined && { client: cutText(client, 100) }),
      rule: approval.approver,
      opened,
      expires,
      approvals: [],
    };
  }

  /** Uses the approval up. What the client said counts only if it ends the question. */
  async #takeAnswer({ id, seen, until }: PageAnswer): Promise<Ended> {
    const { records, history, clock } = this.settings;
    const { name } = this.approval.call.operation;
    const advice = 'Nothing was done. Do not try again unless the user asks for it.';
    if (seen === 'declined') await this.#withdraw(id);
    const used = seen === 'decided' ? await this.#use(id) : undefined;
    if (used) return { approvedBy: used.approvals.map(({ by }) => ({ ...by, scopes: [] })) };
    await endInTime({ records, history }, id);
    const record = await records.find(id);
    // Records outlive their questions. So somebody has erased what is kept for the caller, or for one who has approved.
    if (!record && clock.now() < until) {
      history.write('erased', { id, record: { ...this.#record(until, until), status: 'withdrawn' } });
      return refused(`The question about ${name} was erased, so nobody has approved it. ${advice}`);
    }
    const status = seen === 'declined' ? 'withdrawn' : record?.status;
    switch (status) {
      case 'refused':
        return refused(`A person has refused ${name}. ${advice}`);
      case 'closed':
        return refused(`The page was closed, so nobody has approved ${name}. ${advice}`);
      case 'withdrawn':
        return refused(`The user did not open the page, so nobody has approved ${name}. ${advice}`);
      default:
        return { ...refused(`${inTime(record)} ${name} in time. ${advice}`), isLate: true };
    }
  }

  async #use(id: string): Promise<ApprovalRecord | undefined> {
    const { records } = this.settings;
    const record = await records.find(id);
    if (record?.status !== 'approved' || record.binding !== this.bound.binding) return undefined;
    return records.change(id, 'approved', { status: 'used' });
  }

  async #withdraw(id: string): Promise<void> {
    const { records, history } = this.settings;
    const record = await records.change(id, 'open', { status: 'withdrawn' });
    if (record) history.write('withdrawn', { id, record });
  }
}

/** Records, once over all processes, that nobody has decided a question in time. */
export async function endInTime(
  { records, history }: Pick<AskSettings, 'records' | 'history'>,
  id: string,
): Promise<void> {
  const record = await records.expire(id, { status: 'expired' });
  if (record) history.write('expired', { id, record });
}

/** The beginning of what the model reads. */
function inTime(record: ApprovalRecord | undefined): string {
  if (!record || record.approvals.length === 0) return 'Nobody has approved';
  return `Only ${record.approvals.length} of ${neededOf(record)} people have approved`;
}
