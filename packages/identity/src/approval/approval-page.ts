import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@toolwright/core/ports';
import type { PageShell } from '@toolwright/json';
import { pathBelow, pathOf, showNothing, showOutage, showToStranger } from '../pages/question-page.js';
import { attribute, dress, explain, page, safe, sendPage } from '../pages/page.js';
import { readForm } from '../pages/read-form.js';
import { type PageSession, type SignIn, signedInAs } from '../pages/sign-in.js';
import type { ApprovalHistory } from './approval-history.js';
import { type ApprovalRecord, type ApprovalRecords, neededOf } from './approval-records.js';
import type { DelegatesForm } from './delegates-form.js';
import type { Delegations } from './delegations.js';
import { Inbox } from './inbox.js';
import { buttonsOf, REFUSE, rowsOf, whenOf } from './question-text.js';
import { type Standing, standingOf, withApproval } from './who-may-answer.js';

/** Says no when the caller closes the page of the own call without an answer. */
const script = `let answered = false;
addEventListener('submit', () => { answered = true; });
addEventListener('pagehide', () => {
  if (!answered) navigator.sendBeacon(location.pathname + '/closed', new URLSearchParams(new FormData(document.forms[0])));
});`;

const isInbox = /^(?:\/|\/sign-in)?$/;
const ids = /^\/([\w-]{24})(\/sign-in|\/closed)?$/;

export interface ApprovalPageSettings {
  readonly url: URL;
  readonly records: ApprovalRecords;
  readonly delegations: Delegations | undefined;
  readonly delegates: DelegatesForm | undefined;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly history: ApprovalHistory;
  readonly shell: PageShell;
  /** The scopes of all approvers of this server. */
  scopes(): readonly string[];
}

/** The pages on which a person sees what will run, and approves or refuses it. */
export class ApprovalPage {
  readonly #path: string;
  readonly #inbox: Inbox;

  constructor(private readonly settings: ApprovalPageSettings) {
    this.#path = pathOf(settings.url);
    this.#inbox = new Inbox(settings);
  }

  /** @returns false for a request of something else */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    // A router of Express takes off the path that it is mounted at.
    const below = pathBelow(req, this.#path);
    if (below === undefined) return false;
    const { logger, shell } = this.settings;
    dress(res, shell);
    await this.#show(below, req, res).catch((error: unknown) => showOutage(res, logger, error));
    return true;
  }

  async #show(below: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { settings } = this;
    const isGet = req.method === 'GET';
    if (below === '/callback' && isGet) await settings.signIn.finish(req, res);
    else if (isInbox.test(below) && isGet) await this.#inbox.answer(req, res, below === '/sign-in');
    else if (below === '/delegates' && req.method === 'POST' && settings.delegates)
      await settings.delegates.take(req, res);
    else await this.#answerBelow(below, req, res);
  }

  async #answerBelow(below: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, id, part] = ids.exec(below) ?? [];
    const isPost = req.method === 'POST';
    if (id === undefined || (!isPost && req.method !== 'GET') || (part === '/sign-in' && isPost))
      return showNothing(res);
    const { records, signIn, delegations, scopes } = this.settings;
    const session = signIn.session(req);
    // Nobody learns whether an id exists before they have signed in.
    if (!isPost && (!session || part === '/sign-in'))
      return signIn.begin(res, `/${id}`, { scopes: scopes(), anew: part === '/sign-in' });
    if (!session) return explain(res, 403, 'You have not signed in', 'Open the address again.');
    const record = await records.find(id);
    if (!record || record.expires <= this.settings.clock.now())
      return explain(
        res,
        404,
        'This question has ended',
        'Nothing was done. Ask your application to try again.',
      );
    const standing = standingOf(record, session.principal, (await delegations?.to(session.principal)) ?? []);
    if ('obstacle' in standing)
      return showToStranger(res, {
        title: 'You cannot approve this',
        text: standing.obstacle,
        path: this.#path,
        id,
        session,
      });
    if (isPost) return this.#take(req, res, { id, record, session, standing, isClosed: part === '/closed' });
    if (record.status !== 'open') return this.#showEnd(res, record);
    this.#showQuestion(res, { id, record, session, standing });
  }

  /** Takes the answer of a person. */
  async #take(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
    const { id, record, session, standing, isClosed } = answer;
    const { records, signIn, logger, history } = this.settings;
    const form = await readForm(req);
    if (!form || !signIn.isOwnForm(req, form, session, id))
      return explain(res, 403, 'This form is not valid', 'Nothing was decided. Open the address again.');
    const decision = isClosed ? 'close' : form.get('decision');
    const { as } = standing;
    if (decision !== 'approve' && decision !== 'refuse' && !(isClosed && isForCallerAlone(record)))
      return explain(res, 400, 'This form is not valid', 'Nothing was decided. Open the address again.');
    const changed = await records.change(id, 'open', (current) =>
      decision === 'approve'
        ? withApproval(current, as)
        : { status: isClosed ? 'closed' : 'refused', refusal: as },
    );
    if (!changed) return this.#showEnd(res, (await records.find(id)) ?? record);
    const outcome = decision === 'approve' ? 'approved' : isClosed ? 'closed' : 'refused';
    history.write(outcome, { id, record: changed }, as);
    const { operation, caller } = record;
    logger.info(
      { operation: operation.name, decision: outcome, by: as.by, for: as.for, caller },
      'A call was decided on the page',
    );
    this.#showEnd(res, changed);
  }

  #showQuestion(res: ServerResponse, { id, record, session, standing }: Omit<Answer, 'isClosed'>): void {
    const { operation, message, expires } = record;
    const title = operation.title ?? operation.name;
    const isForCaller = isForCallerAlone(record);
    const { hasApproved } = standing;
    const end = isForCaller
      ? 'If you close or reload this page, that refuses, too.'
      : `It can be answered until ${whenOf(expires, this.settings.clock.now())}. If you close this page, nothing is decided.`;
    const body = `<h1>${safe(message)}</h1>
<p>A program asks to run <strong>${safe(title)}</strong>. It runs once, with exactly these values, if ${neededOf(record) > 1 ? `${neededOf(record)} people approve` : 'you approve'} it.</p>
<dl>
${rowsOf(record, session.principal, standing.as).join('\n')}
</dl>
${hasApproved ? '<p>You have approved it. It waits for others. You can still refuse it.</p>' : ''}
<form method="post" class="answers">
<input type="hidden" name="token" value="${this.settings.signIn.formToken(session, id)}">
${hasApproved ? REFUSE : buttonsOf(neededOf(record))}
</form>
<p class="soft">${signedInAs(session)} ${end}</p>`;
    sendPage(res, 200, page(`Approve: ${title}`, body, isForCaller ? script : undefined), {
      formAction: "'self'",
    });
  }

  #showEnd(res: ServerResponse, record: ApprovalRecord): void {
    const [title, text] = endOf(record);
    const body = `<h1>${safe(title)}</h1><p>${safe(text)}</p>
<p><a href="${attribute(this.#path || '/')}">What else waits for you</a></p>`;
    sendPage(res, 200, page(title, body), { formAction: "'self'" });
  }
}

interface Answer {
  readonly id: string;
  readonly record: ApprovalRecord;
  readonly session: PageSession;
  readonly standing: Extract<Standing, { as: unknown }>;
  readonly isClosed: boolean;
}

/** Nobody else can answer it, so the caller who turns away has answered. Any other question is left to the others. */
const isForCallerAlone = ({ rule }: ApprovalRecord): boolean => rule.scope === undefined && !rule.notCaller;

const ends: Readonly<Record<Exclude<ApprovalRecord['status'], 'open'>, readonly [string, string]>> = {
  approved: [
    'Approved',
    'The call runs now, once. If the program no longer waits for it, nothing is done. You can close this page.',
  ],
  used: ['Approved', 'This was approved, and the call has begun. It cannot be approved again.'],
  refused: ['Refused', 'Nothing was done. You can close this page.'],
  closed: ['Refused', 'The page was closed without an answer, so nothing was done.'],
  withdrawn: ['This question has ended', 'The program no longer waits for an answer. Nothing was done.'],
  expired: ['This question has ended', 'Nobody decided in time. Nothing was done.'],
};

function endOf(record: ApprovalRecord): readonly [title: string, text: string] {
  if (record.status !== 'open') return ends[record.status];
  const missing = neededOf(record) - record.approvals.length;
  return record.approvals.length === 0
    ? ['This question is open', 'Open the address again.']
    : [
        'You have approved',
        `It waits for ${missing === 1 ? 'one more person' : `${missing} more people`}. Nothing is done before. You can close this page.`,
      ];
}
