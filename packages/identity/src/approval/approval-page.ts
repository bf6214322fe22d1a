import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@toolwright/core';
import type { Clock, Logger } from '@toolwright/core/ports';
import { writeJson } from '@toolwright/core/transport';
import type { PageShell } from '@toolwright/json';
import { pathBelow, pathOf, row, showNothing, showToStranger } from '../pages/question-page.js';
import { dress, explain, page, safe, sendPage } from '../pages/page.js';
import { readForm } from '../pages/read-form.js';
import { type PageSession, type SignIn, signedInAs } from '../pages/sign-in.js';
import { type ApprovalRecord, type ApprovalRecords, isSame, mayBeSame } from './approval-records.js';
import { personOf } from './ask-for-approval.js';

/** Says no when the page is closed without an answer. */
const script = `let answered = false;
addEventListener('submit', () => { answered = true; });
addEventListener('pagehide', () => {
  if (!answered) navigator.sendBeacon(location.pathname + '/closed', new URLSearchParams(new FormData(document.forms[0])));
});`;

const ids = /^\/([\w-]{24})(\/sign-in|\/closed)?$/;

export interface ApprovalPageSettings {
  readonly url: URL;
  readonly records: ApprovalRecords;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shell: PageShell;
}

/** The page on which a person sees what will run, and approves or refuses it. */
export class ApprovalPage {
  readonly #path: string;

  constructor(private readonly settings: ApprovalPageSettings) {
    this.#path = pathOf(settings.url);
  }

  /** @returns false for a request of something else */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    // A router of Express takes off the path that it is mounted at.
    const below = pathBelow(req, this.#path);
    if (below === undefined) return false;
    dress(res, this.settings.shell);
    if (below === '/callback' && req.method === 'GET') await this.settings.signIn.finish(req, res);
    else await this.#answerBelow(below, req, res);
    return true;
  }

  async #answerBelow(below: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, id, part] = ids.exec(below) ?? [];
    const isPost = req.method === 'POST';
    if (id === undefined || (!isPost && req.method !== 'GET') || (part === '/sign-in' && isPost))
      return showNothing(res);
    const { records, signIn } = this.settings;
    const session = signIn.session(req);
    const record = session && (await records.find(id));
    // Nobody learns whether an id exists before they have signed in. Afterwards the scopes depend on it.
    const scopes = async () => (record ?? (await records.find(id)))?.rule.scope;
    if (!isPost && (!session || part === '/sign-in')) {
      const scope = await scopes();
      return signIn.begin(res, `/${id}`, {
        scopes: scope === undefined ? [] : [scope],
        anew: part === '/sign-in',
      });
    }
    if (!session) return explain(res, 403, 'You have not signed in', 'Open the address again.');
    if (!record || record.expires <= this.settings.clock.now())
      return explain(
        res,
        404,
        'This question has ended',
        'Nothing was done. Ask your application to try again.',
      );
    const obstacle = findObstacle(record, session.principal);
    if (obstacle !== undefined)
      return showToStranger(res, {
        title: 'You cannot approve this',
        text: obstacle,
        path: this.#path,
        id,
        session,
      });
    if (isPost) return this.#take(req, res, { id, record, session, isClosed: part === '/closed' });
    if (record.status !== 'open') return showEnd(res, record);
    this.#show(res, { id, record, session });
  }

  /** Takes the answer of a person. */
  async #take(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
    const { id, record, session, isClosed } = answer;
    const { records, signIn, logger } = this.settings;
    const form = await readForm(req);
    if (!form || !signIn.isOwnForm(req, form, session, id))
      return explain(res, 403, 'This form is not valid', 'Nothing was decided. Open the address again.');
    const decision = form.get('decision');
    const status = isClosed ? 'closed' : decision === 'approve' ? 'approved' : 'refused';
    if (!isClosed && decision !== 'approve' && decision !== 'refuse')
      return explain(res, 400, 'This form is not valid', 'Nothing was decided. Open the address again.');
    const by = personOf(session.principal);
    const changed = await records.change(id, 'open', { status, by });
    if (!changed) return showEnd(res, (await records.find(id)) ?? record);
    const { name } = record.operation;
    logger.info(
      { operation: name, decision: status, by, caller: record.caller },
      'A call was decided on the page',
    );
    showEnd(res, changed);
  }

  #show(res: ServerResponse, { id, record, session }: Omit<Answer, 'isClosed'>): void {
    const { operation, message, shown, caller, client } = record;
    const title = operation.title ?? operation.name;
    const whose = isSame(caller, session.principal) ? 'You' : nameOf(caller);
    const rows = Object.entries(shown).map(([name, value]) => row(name, textOf(value)));
    const body = `<h1>${safe(message)}</h1>
<p>A program asks to run <strong>${safe(title)}</strong>. It runs once, with exactly these values, if you approve it.</p>
<dl>
${row('For', whose)}
${client === undefined ? '' : row('Program, as it calls itself', client)}
${row('Operation', operation.name)}
${rows.length > 0 ? rows.join('\n') : row('Values', 'none')}
</dl>
<form method="post" class="answers">
<input type="hidden" name="token" value="${this.settings.signIn.formToken(session, id)}">
<button class="yes" name="decision" value="approve"><strong>Approve</strong><span class="soft">Run it once, now</span></button>
<button class="no" name="decision" value="refuse"><strong>Refuse</strong><span class="soft">Nothing is done</span></button>
</form>
<p class="soft">${signedInAs(session)} If you close or reload this page, that refuses, too.</p>`;
    sendPage(res, 200, page(`Approve: ${title}`, body, script), { formAction: "'self'" });
  }
}

interface Answer {
  readonly id: string;
  readonly record: ApprovalRecord;
  readonly session: PageSession;
  readonly isClosed: boolean;
}

/** Why a person may neither see nor decide this question. */
export function findObstacle({ rule, caller }: ApprovalRecord, person: Principal): string | undefined {
  // A scope of another organisation opens nothing here, and its people read nothing.
  if (caller.tenant !== person.tenant) return 'It belongs to another organisation.';
  const isCaller = isSame(caller, person);
  const { scope, notCaller } = rule;
  if (scope !== undefined && !person.scopes.includes(scope))
    return `It needs the scope ${scope}, which you do not have.`;
  if (notCaller && mayBeSame(caller, person))
    return 'You have asked for it yourself, and another person must approve it.';
  if (scope === undefined && !notCaller && !isCaller)
    return 'Only the person whose program asks for it may approve it.';
  return undefined;
}

const ends: Readonly<Record<ApprovalRecord['status'], readonly [title: string, text: string]>> = {
  open: ['This question is open', 'Open the address again.'],
  approved: [
    'Approved',
    'The call runs now, once. If the program no longer waits for it, nothing is done. You can close this page.',
  ],
  used: ['Approved', 'This was approved, and the call has begun. It cannot be approved again.'],
  refused: ['Refused', 'Nothing was done. You can close this page.'],
  closed: ['Refused', 'The page was closed without an answer, so nothing was done.'],
  withdrawn: ['This question has ended', 'The program no longer waits for an answer. Nothing was done.'],
};

function showEnd(res: ServerResponse, { status }: ApprovalRecord): void {
  explain(res, 200, ...ends[status]);
}

/** A program that acts for itself has a token without a subject. */
const nameOf = ({ subject, clientId }: ApprovalRecord['caller']) => subject || (clientId ?? 'nobody');

/** A value as a person reads it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (writeJson(value, 2) ?? String(value));
}
