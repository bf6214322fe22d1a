import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@toolwright/core/ports';
import { attribute, page, safe, sendPage } from '../pages/page.js';
import { pathOf, row } from '../pages/question-page.js';
import { requestUrl } from '../pages/request-url.js';
import type { PageSession, SignIn } from '../pages/sign-in.js';
import { type ApprovalRecord, type ApprovalRecords, neededOf } from './approval-records.js';
import type { DelegatesForm } from './delegates-form.js';
import type { Delegations } from './delegations.js';
import { buttonsOf, rowsOf, whenOf } from './question-text.js';
import { type Standing, standingOf } from './who-may-answer.js';

/** How many questions one page shows. */
const PER_PAGE = 10;

export interface InboxPageSettings {
  readonly url: URL;
  readonly records: ApprovalRecords;
  /** `undefined`: nobody names delegates here. */
  readonly delegations: Delegations | undefined;
  readonly delegates: DelegatesForm | undefined;
  readonly signIn: SignIn;
  readonly clock: Clock;
  /** The scopes of all approvers of this server. */
  scopes(): readonly string[];
}

interface Waiting {
  readonly id: string;
  readonly record: ApprovalRecord;
  readonly standing: Extract<Standing, { as: unknown }>;
}

/** The page of all that waits for a person. Nobody sees what they may not answer. */
export class Inbox {
  readonly #path: string;

  constructor(private readonly settings: InboxPageSettings) {
    this.#path = pathOf(settings.url);
  }

  /** @param anew true for a person who wants to sign in as somebody else */
  async answer(req: IncomingMessage, res: ServerResponse, anew: boolean): Promise<void> {
    const { signIn, url, scopes } = this.settings;
    const session = signIn.session(req);
    if (anew || !session) return signIn.begin(res, '', { scopes: scopes(), anew });
    const waiting = await this.#waitingFor(session);
    const last = Math.max(1, Math.ceil(waiting.length / PER_PAGE));
    const asked = Number(requestUrl(req, url).searchParams.get('page') ?? 1);
    // An answer takes a question away, so a page that was there may be gone.
    const at = Number.isInteger(asked) && asked > 0 ? Math.min(asked, last) : 1;
    const shown = waiting.slice((at - 1) * PER_PAGE, at * PER_PAGE);
    const body = `<h1>What waits for you</h1>
${waiting.length === 0 ? '<p>Nothing waits for you now.</p>' : `<p>${waiting.length === 1 ? 'One question waits' : `${waiting.length} questions wait`} for your answer, the oldest first.</p>`}
${shown.length === 0 ? '' : `<ul>\n${shown.map((each) => this.#item(session, each)).join('\n')}\n</ul>`}
${last === 1 ? '' : this.#pages(at, last)}
${(await this.settings.delegates?.write(session)) ?? ''}
<p class="soft">You are signed in as ${safe(session.name)} (${safe(session.principal.subject)}). <a href="${attribute(`${this.#path}/sign-in`)}">Sign in as somebody else</a></p>`;
    sendPage(res, 200, page('What waits for you', body), { formAction: "'self'" });
  }

  async #waitingFor({ principal }: PageSession): Promise<Waiting[]> {
    const { records, delegations } = this.settings;
    const rights = (await delegations?.to(principal)) ?? [];
    return (await records.listOpen())
      .flatMap(([id, record]) => {
        const standing = standingOf(record, principal, rights);
        return 'as' in standing && !standing.hasApproved ? [{ id, record, standing }] : [];
      })
      .sort((one, other) => one.record.opened - other.record.opened || (one.id < other.id ? -1 : 1));
  }

  #item(session: PageSession, { id, record, standing }: Waiting): string {
    const { signIn, clock } = this.settings;
    const { message, opened, expires } = record;
    const times = [row('Waits since', whenOf(opened)), row('Until', whenOf(expires, clock.now()))];
    return `<li><h2>${safe(message)}</h2>
<dl>
${[...rowsOf(record, session.principal, standing.as), ...times].join('\n')}
</dl>
<form method="post" action="${attribute(`${this.#path}/${id}`)}" class="answers">
<input type="hidden" name="token" value="${signIn.formToken(session, id)}">
${buttonsOf(neededOf(record))}
</form></li>`;
  }

  #pages(at: number, last: number): string {
    const link = (to: number, text: string) =>
      to < 1 || to > last ? '' : `<a href="${attribute(`${this.#path || '/'}?page=${to}`)}">${text}</a>`;
    return `<p>${[link(at - 1, 'Earlier ones'), `Page ${at} of ${last}`, link(at + 1, 'Later ones')].filter(Boolean).join(' · ')}</p>`;
  }
}
