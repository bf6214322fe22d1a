import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@toolwright/core';
import type { Logger } from '@toolwright/core/ports';
import { pathOf } from '../pages/question-page.js';
import type { IssuerClient } from '../exchange/issuer-client.js';
import { attribute, explain, page, redirect, safe, sendPage } from '../pages/page.js';
import { readForm } from '../pages/read-form.js';
import { type PageSession, type SignIn, signedInAs } from '../pages/sign-in.js';
import { endGrant, type Revocation } from './end-grant.js';
import { holderOf, isHolder } from './grant-holder.js';
import { type GrantRecord, GrantRecords } from './grant-records.js';

export interface OwnGrantsSettings {
  readonly url: URL;
  readonly records: GrantRecords;
  readonly signIn: SignIn;
  readonly logger: Logger;
  /** The name of the server, for the page. */
  readonly serverName: string;
  /** One for each rule by `stored-grant`. */
  readonly issuers: readonly IssuerClient[];
  /** Records that a person has ended a grant. */
  ended(
    grant: Pick<GrantRecord, 'resource' | 'scopes'>,
    person: Principal,
    outcome: Revocation['outcome'],
  ): void;
}

interface OwnGrant {
  readonly id: string;
  readonly issuer: IssuerClient;
  readonly record: GrantRecord;
}

/** Comes before the id of the grant in what a form decides about. No question has an id with a blank. */
const END = 'end grant';

/**
 * The page on which people see what they have granted, and end it. Each person has at most one grant for each rule, and its id
 * follows from both. So the page reads as many records as there are rules, however many people the store knows, and a form
 * can name no grant of somebody else.
 */
export class OwnGrants {
  readonly #path: string;

  constructor(private readonly settings: OwnGrantsSettings) {
    this.#path = pathOf(settings.url);
  }

  /** @param anew true for a person who wants to sign in as somebody else */
  async answer(req: IncomingMessage, res: ServerResponse, anew: boolean): Promise<void> {
    const { signIn } = this.settings;
    const session = signIn.session(req);
    if (req.method === 'POST') {
      if (anew || !session) return explain(res, 403, 'You have not signed in', 'Open the address again.');
      return this.#end(req, res, session);
    }
    if (anew || !session) return signIn.begin(res, '', { anew });
    this.#show(res, session, await this.#grantsOf(session));
  }

  async #end(req: IncomingMessage, res: ServerResponse, session: PageSession): Promise<void> {
    const { signIn, records, url, logger } = this.settings;
    const form = await readForm(req);
    const id = form?.get('grant') ?? '';
    if (!form || !signIn.isOwnForm(req, form, session, `${END} ${id}`))
      return explain(res, 403, 'This form is not valid', 'Nothing was ended. Open the address again.');
    const own = (await this.#grantsOf(session)).find((grant) => grant.id === id);
    const done = own && (await endGrant(records, id, () => own.issuer));
    // Somebody else has ended it meanwhile, perhaps the same person in another window.
    if (!own || !done) return redirect(res, url);
    this.settings.ended(own.record, session.principal, done.outcome);
    if (done.outcome === 'revoked') return redirect(res, url);
    const [status, title, text] = ends[done.outcome];
    const { issuer } = own.record.client;
    if (done.outcome === 'failed')
      logger.warn(
        { grant: id, resource: own.record.resource, issuer, reason: done.reason },
        'A person has ended a grant, and its issuer did not take it',
      );
    const body = `<h1>${safe(title)}</h1><p>${safe(text(issuer))}</p><p><a href="${attribute(this.#path || '/')}">Back to what you have granted</a></p>`;
    sendPage(res, status, page(title, body), { formAction: "'self'" });
  }

  async #grantsOf({ principal }: PageSession): Promise<OwnGrant[]> {
    const { issuers, records } = this.settings;
    const holder = holderOf(principal);
    if (!holder) return [];
    const found = await Promise.all(
      issuers.map(async (issuer) => {
        const id = GrantRecords.idOf(holder, issuer.rule.resource, issuer.rule);
        const record = (await records.find(id))?.record;
        const isOwn = record && record.status !== 'ended' && isHolder(record.holder, principal);
        return isOwn ? [{ id, issuer, record }] : [];
      }),
    );
    return found.flat();
  }

  #show(res: ServerResponse, session: PageSession, grants: readonly OwnGrant[]): void {
    const { serverName } = this.settings;
    const title = 'What you have granted';
    const body = `<h1>${title}</h1>
<p>Tools of <strong>${safe(serverName)}</strong> use these for you, until you end the access.</p>
${grants.length === 0 ? '<p>You have granted nothing.</p>' : `<ul>\n${grants.map((grant) => this.#row(session, grant)).join('\n')}\n</ul>`}
<p class="soft">${signedInAs(session)} <a href="${attribute(`${this.#path}/sign-in`)}">Sign in as somebody else</a></p>`;
    sendPage(res, 200, page(title, body), { formAction: "'self'" });
  }

  #row(session: PageSession, { id, record }: OwnGrant): string {
    const { resource, scopes, created, renewed, client, status } = record;
    const isHalf = status === 'revoked';
    const state = isHalf
      ? '<p>No tool can use this access any more, but its issuer has not ended it yet.</p>'
      : `<p class="soft">Granted ${dayOf(created)}, used last ${dayOf(renewed)}</p>`;
    return `<li><h2>${safe(resource)}</h2>
<p><code>${safe(scopes.join(' ') || 'what its issuer showed you')}</code>, granted at ${safe(client.issuer)}</p>
${state}
<form method="post" action="${attribute(this.#path || '/')}">
<input type="hidden" name="token" value="${this.settings.signIn.formToken(session, `${END} ${id}`)}">
<button class="no" name="grant" value="${id}"><strong>${isHalf ? 'Try again' : 'End the access'}</strong><span class="soft">${safe(resource)}</span></button>
</form></li>`;
  }
}

const ends = {
  'not at the issuer': [
    200,
    'The access has ended here',
    (issuer: string) =>
      `No tool can use it any more. The issuer ${issuer} has no way to be told. You can end the access there, too.`,
  ],
  failed: [
    502,
    'The access has ended here only',
    (issuer: string) =>
      `No tool can use it any more, but the issuer ${issuer} has not ended it. Try again later, or end it there.`,
  ],
} as const;

const dayOf = (time: number) => {
  const iso = new Date(time).toISOString().slice(0, 10);
  return `<time datetime="${iso}">${iso}</time>`;
};
