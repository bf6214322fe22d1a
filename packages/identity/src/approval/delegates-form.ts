import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@toolwright/core/ports';
import { present } from '@toolwright/json';
import { attribute, explain, redirect, safe } from '../pages/page.js';
import { pathOf } from '../pages/question-page.js';
import { readForm } from '../pages/read-form.js';
import type { PageSession, SignIn } from '../pages/sign-in.js';
import type { ApprovalHistory } from './approval-history.js';
import { DAY_MS } from './approval-options.js';
import { isSame, type Person, personOf } from './approval-records.js';
import { type Delegations, MOST_DELEGATES } from './delegations.js';
import { nameOf, whenOf } from './question-text.js';

/** What forms of delegates decide about. No question has such an id. */
const FORM = 'delegates';

/** Subjects are at most this long (OpenID Connect Core 1.0, section 2). */
const LONGEST_SUBJECT = 255;

export interface DelegatesSettings {
  readonly url: URL;
  readonly delegations: Delegations;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly history: ApprovalHistory;
  readonly longestMs: number;
  /** The scopes of all approvers of this server. */
  scopes(): readonly string[];
}

/** The part of the inbox in which a person names delegates, and ends that. */
export class DelegatesForm {
  readonly #path: string;

  constructor(private readonly settings: DelegatesSettings) {
    this.#path = pathOf(settings.url);
  }

  /** @returns HTML; empty for a person who has nothing to delegate */
  async write(session: PageSession): Promise<string> {
    const { delegations, signIn } = this.settings;
    const { principal } = session;
    const [own, others] = [await delegations.from(principal), await delegations.to(principal)];
    const named = others.map(
      ({ from, name, until }) =>
        `<p>${safe(name)} (${safe(nameOf(from))}) has named you as delegate, until ${whenOf(until)}.</p>`,
    );
    const scopes = this.#scopesOf(session);
    if (scopes.length === 0 && own.length === 0 && named.length === 0) return '';
    const token = `<input type="hidden" name="token" value="${signIn.formToken(session, FORM)}">`;
    const begin = `<form method="post" action="${attribute(`${this.#path}/delegates`)}">${token}`;
    const list = own.map(
      ({ id, to, until }) => `<li><p>${safe(nameOf(to))}, until ${whenOf(until)}</p>
${begin}<button class="no" name="end" value="${attribute(id)}"><strong>End it now</strong></button></form></li>`,
    );
    const form = `${begin}
<label>The person, as this page names them in brackets <input name="subject" required maxlength="${LONGEST_SUBJECT}" autocomplete="off"></label>
<label>For how many days <input name="days" type="number" required min="1" max="${this.#mostDays}" value="1"></label>
<button><strong>Name a delegate</strong><span class="soft">They may approve and refuse what waits for you, until you end it</span></button>
</form>`;
    return `<section><h2>Delegates</h2>
${named.join('\n')}
${list.length > 0 ? `<ul>${list.join('\n')}</ul>` : ''}
${scopes.length > 0 ? form : ''}</section>`;
  }

  /** Takes one of its forms. */
  async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { signIn, delegations, history, url } = this.settings;
    const session = signIn.session(req);
    if (!session) return explain(res, 403, 'You have not signed in', 'Open the address again.');
    const form = await readForm(req);
    if (!form || !signIn.isOwnForm(req, form, session, FORM))
      return refuse(res, 403, 'This form is not valid');
    const ending = form.get('end');
    if (ending !== null) {
      const ended = await delegations.end(ending, session.principal);
      if (ended) history.writeDelegation('delegation ended', ended);
      return redirect(res, url);
    }
    const made = await this.#name(form, session);
    if ('problem' in made) return refuse(res, 400, made.problem);
    if (made.isNew) history.writeDelegation('delegated', made.kept);
    redirect(res, url);
  }

  async #name(
    form: URLSearchParams,
    session: PageSession,
  ): Promise<NonNullable<Awaited<ReturnType<Delegations['name']>>> | { readonly problem: string }> {
    const { clock, delegations } = this.settings;
    const subject = (form.get('subject') ?? '').trim();
    const days = Number(form.get('days'));
    const from = personOf(session.principal);
    const { issuer, tenant } = from;
    const to: Person = present({ issuer, subject, tenant });
    const scopes = this.#scopesOf(session);
    if (scopes.length === 0) return { problem: 'You have no right that a delegate could use' };
    if (subject === '' || subject.length > LONGEST_SUBJECT) return { problem: 'The form names no person' };
    if (isSame(from, to)) return { problem: 'You cannot be your own delegate' };
    if (!Number.isInteger(days) || days < 1 || days > this.#mostDays)
      return { problem: `A delegate is named for 1 to ${this.#mostDays} days` };
    const now = clock.now();
    const delegation = { from, name: session.name, to, scopes, since: now, until: now + days * DAY_MS };
    return (
      (await delegations.name(delegation)) ?? {
        problem: `You have ${MOST_DELEGATES} delegates, and no more are possible`,
      }
    );
  }

  /** The rights that a person has by a delegation cannot be delegated again. */
  #scopesOf({ principal }: PageSession): string[] {
    return this.settings.scopes().filter((scope) => principal.scopes.includes(scope));
  }

  get #mostDays(): number {
    return Math.floor(this.settings.longestMs / DAY_MS);
  }
}

const refuse = (res: ServerResponse, status: number, title: string) =>
  explain(res, status, title, 'Nothing was changed. Open the page again.');
