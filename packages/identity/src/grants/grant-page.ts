import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@toolwright/core';
import type { Clock, Logger } from '@toolwright/core/ports';
import type { PageShell } from '@toolwright/json';
import { addressOf, pathOf, row, showNothing, showOutage, showToStranger } from '../pages/question-page.js';
import type { IssuerClient } from '../exchange/issuer-client.js';
import { SealedCookies } from '../pages/cookies.js';
import { attribute, dress, explain, page, redirect, safe, sendPage } from '../pages/page.js';
import { readForm } from '../pages/read-form.js';
import { requestUrl } from '../pages/request-url.js';
import { type PageSession, type SignIn, signedInAs } from '../pages/sign-in.js';
import { GrantClient, type GrantDeparture } from './grant-client.js';
import { isHolder } from './grant-holder.js';
import type { GrantRequest, GrantRequests } from './grant-requests.js';
import type { OwnGrants } from './own-grants.js';
import type { NewGrant } from './stored-grants.js';

/** What the browser keeps, sealed, while the person is at the issuer of the resource. */
interface Departure extends GrantDeparture {
  /** The question. */
  readonly id: string;
  /** The session in which the person has said yes. */
  readonly session: string;
  readonly expires: number;
}

export interface GrantPageSettings {
  readonly url: URL;
  readonly requests: GrantRequests;
  readonly signIn: SignIn;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifetimeMs: number;
  /** The name of the server, for the page. */
  readonly serverName: string;
  readonly shell: PageShell;
  /** The page at the address itself, which lists what a person has granted. */
  readonly ownGrants: OwnGrants;
  issuerOf(resource: string): IssuerClient | undefined;
  /** Keeps what the person has granted. */
  store(grant: NewGrant): Promise<void>;
  /** Records how a question has ended. */
  ended(request: GrantRequest, person: Principal, outcome: 'granted' | 'refused'): void;
}

/** The paths of the page that lists what a person has granted. */
const isOwn = /^(?:\/|\/sign-in)?$/;
const ids = /^\/([\w-]{24})(\/sign-in)?$/;

const DEPARTURE = 'tw_out_';

/**
 * The page on which a person connects a resource. The person signs in here first, and must be the caller: otherwise one
 * person could hand another one a link, and get the other one's access. Only then the browser goes on to the issuer of the
 * resource, and only the same session may come back from there.
 */
export class GrantPage {
  readonly #path: string;
  readonly #cookies: SealedCookies;

  constructor(private readonly settings: GrantPageSettings) {
    const { url, secrets } = settings;
    this.#path = pathOf(url);
    this.#cookies = new SealedCookies(url, secrets, 'grant departure');
  }

  /** @param below the path of the request below that of the page */
  async answer(req: IncomingMessage, res: ServerResponse, below: string): Promise<void> {
    const { logger, shell } = this.settings;
    dress(res, shell);
    await this.#answer(below, req, res).catch((error: unknown) => showOutage(res, logger, error));
  }

  async #answer(below: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const isGet = req.method === 'GET';
    if (below === '/callback' && isGet) await this.settings.signIn.finish(req, res);
    else if (below === '/granted' && isGet) await this.#arrive(req, res);
    else if (isOwn.test(below) && (isGet || req.method === 'POST'))
      await this.settings.ownGrants.answer(req, res, below === '/sign-in');
    else await this.#answerBelow(below, req, res);
  }

  async #answerBelow(below: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, id, part] = ids.exec(below) ?? [];
    const isPost = req.method === 'POST';
    if (id === undefined || (!isPost && req.method !== 'GET') || (part !== undefined && isPost))
      return showNothing(res);
    const { signIn } = this.settings;
    const session = signIn.session(req);
    if (!isPost && (!session || part !== undefined))
      return signIn.begin(res, `/${id}`, { anew: part !== undefined });
    if (!session) return explain(res, 403, 'You have not signed in', 'Open the address again.');
    const request = await this.#find(id);
    if (!request) return over(res);
    if (!isHolder(request.holder, session.principal))
      return showToStranger(res, { ...stranger, path: this.#path, id, session });
    if (request.status !== 'open') return showEnd(res, request.status);
    if (isPost) await this.#take(req, res, { id, request, session });
    else this.#show(res, { id, request, session });
  }

  /** Takes the answer of a person, and sends them on. */
  async #take(req: IncomingMessage, res: ServerResponse, { id, request, session }: Shown): Promise<void> {
    const { signIn, clock, lifetimeMs } = this.settings;
    const form = await readForm(req);
    const decision = form?.get('decision');
    if (!form || !signIn.isOwnForm(req, form, session, id) || !/^(?:connect|refuse)$/.test(decision ?? ''))
      return explain(res, 403, 'This form is not valid', 'Nothing was decided. Open the address again.');
    if (decision === 'refuse') return this.#refuse(res, { id, request, session });
    const issuer = this.settings.issuerOf(request.resource);
    if (!issuer) return over(res);
    try {
      const { url, departure } = await new GrantClient(issuer).depart(this.#back(), request.scopes);
      const kept: Departure = {
        ...departure,
        id,
        session: session.secret,
        expires: clock.now() + lifetimeMs,
      };
      this.#cookies.writeOneOf(res, DEPARTURE, { id: kept.state, value: kept, ms: lifetimeMs });
      redirect(res, url);
    } catch (error) {
      issuer.explain(error);
      failed(res);
    }
  }

  /** Takes the person back from the issuer of the resource. */
  async #arrive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { signIn, requests, clock } = this.settings;
    const at = this.#back();
    at.search = requestUrl(req, at).search;
    const state = at.searchParams.get('state') ?? '';
    const departure = this.#cookies.take<Departure>({ req, res }, DEPARTURE, { state, now: clock.now() });
    if (!departure) return over(res);
    const { id } = departure;
    const session = signIn.session(req);
    const request = await this.#find(id);
    if (!session || session.secret !== departure.session)
      return explain(res, 403, 'You have signed in anew', 'Nothing was kept. Open the address again.');
    if (!request || !isHolder(request.holder, session.principal)) return over(res);
    if (request.status !== 'open') return showEnd(res, request.status);
    const issuer = this.settings.issuerOf(request.resource);
    if (!issuer) return over(res);
    try {
      const tokens = await new GrantClient(issuer).arrive(at, departure);
      await this.settings.store({ request, tokens, issuer });
    } catch (error) {
      if ((error as { error?: unknown }).error === 'access_denied')
        return this.#refuse(res, { id, request, session });
      issuer.explain(error);
      return failed(res);
    }
    await requests.change(id, 'open', { status: 'granted' });
    this.settings.ended(request, session.principal, 'granted');
    showEnd(res, 'granted');
  }

  async #refuse(res: ServerResponse, { id, request, session }: Shown): Promise<void> {
    const changed = await this.settings.requests.change(id, 'open', { status: 'refused' });
    if (changed) this.settings.ended(request, session.principal, 'refused');
    showEnd(res, 'refused');
  }

  async #find(id: string): Promise<GrantRequest | undefined> {
    const request = await this.settings.requests.find(id);
    return request && request.expires > this.settings.clock.now() ? request : undefined;
  }

  #back(): URL {
    return new URL(addressOf(this.settings.url, 'granted'));
  }

  #show(res: ServerResponse, { id, request, session }: Shown): void {
    const { resource, scopes, client } = request;
    const { serverName, signIn, issuerOf } = this.settings;
    const rows = [
      ...(client === undefined ? [] : [row('Program, as it calls itself', client)]),
      row('Access', scopes.length > 0 ? scopes.join('\n') : 'what the issuer shows you next'),
      row('You sign in at', issuerOf(resource)?.rule.issuer ?? ''),
    ];
    const title = `Connect ${resource}?`;
    const body = `<h1>${safe(title)}</h1>
<p><strong>${safe(serverName)}</strong> asks to use ${safe(resource)} for you, whenever you use its tools. No program and no tool sees your password there.</p>
<dl>
${rows.join('\n')}
</dl>
<form method="post" class="answers">
<input type="hidden" name="token" value="${signIn.formToken(session, id)}">
<button class="yes" name="decision" value="connect"><strong>Connect</strong><span class="soft">Go on, and sign in there</span></button>
<button class="no" name="decision" value="refuse"><strong>Refuse</strong><span class="soft">Nothing is granted</span></button>
</form>
<p class="soft">${signedInAs(session)} You can end the access <a href="${attribute(this.#path || '/')}">on this server</a> at any time.</p>`;
    sendPage(res, 200, page(title, body));
  }
}

interface Shown {
  readonly id: string;
  readonly request: GrantRequest;
  readonly session: PageSession;
}

const ends: Readonly<Record<GrantRequest['status'], readonly [title: string, text: string]>> = {
  open: ['This question is open', 'Open the address again.'],
  granted: ['Connected', 'Your program goes on now. You can close this page.'],
  refused: ['Not connected', 'Nothing was granted. You can close this page.'],
  withdrawn: ['This question has ended', 'The program no longer waits for an answer. Nothing was granted.'],
};

const showEnd = (res: ServerResponse, status: GrantRequest['status']) => explain(res, 200, ...ends[status]);

const over = (res: ServerResponse) =>
  explain(res, 404, 'This question has ended', 'Nothing was granted. Ask your application to try again.');

const failed = (res: ServerResponse) =>
  explain(res, 502, 'The sign-in failed', 'The operator of this server finds the reason in its log.');

const stranger = {
  title: 'This question is for somebody else',
  text: 'Only the person whose program asks can answer it. If somebody has sent you this address, close the page.',
};
