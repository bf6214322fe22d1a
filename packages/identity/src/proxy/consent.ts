import { readUrl } from '@toolwright/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Seal } from '@toolwright/core/extend';
import type { Provider } from 'oidc-provider';
import { nameOfOne, SealedCookies } from '../pages/cookies.js';
import { explain, redirect, sendPage } from '../pages/page.js';
import { isSentByPageOf, readForm } from '../pages/read-form.js';
import { requestUrl } from '../pages/request-url.js';
import { consentPage, type ConsentWish } from './consent-page.js';
import type { ProviderRecords } from './provider-records.js';
import { accountSeconds, type ProxySettings, type ProxyUser, resourceNamed } from './proxy-options.js';
import { Upstream, type Departure } from './upstream.js';

/** Where the pages are, below the issuer. */
export const PAGES = '/oauth/sign-in/';
export const CALLBACK = '/oauth/callback';

/** How long a person may take upstream, in milliseconds. */
const DEPARTURE_MS = 600_000;

const [DEPARTURE, ARRIVAL] = ['tw_out_', 'tw_in_'];

/** What is known of a person after the sign-in, for as long as tokens are refreshed. */
export interface Account {
  readonly user: ProxyUser;
  readonly scopes: readonly string[];
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/**
 * The way of a person: consent to the client, sign-in upstream, back to the client. Each step is bound to the browser by a
 * cookie that only this proxy can make, so nobody can finish a sign-in that somebody else has begun.
 */
export class Consent {
  readonly #cookies: SealedCookies;
  readonly #tokens: Seal;
  readonly #upstream: Upstream;

  constructor(
    private readonly settings: ProxySettings,
    private readonly records: ProviderRecords,
    private readonly provider: Provider,
  ) {
    const { issuer, secrets } = settings;
    this.#cookies = new SealedCookies(new URL('/oauth', issuer), secrets, 'authorization proxy');
    this.#tokens = new Seal(secrets, 'authorization proxy forms', { maxLength: 1_000 });
    this.#upstream = new Upstream(settings, issuer + CALLBACK);
  }

  /** Answers the page of one sign-in, and the form on it. */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    await this.#orExplain(res, async () => {
      const interaction = await this.#interactionOf(req, res);
      if (!interaction) return explainEnd(res);
      const arrived = this.#cookies.read(req, nameOfOne(ARRIVAL, interaction.uid)) as
        { uid: string; user: ProxyUser; expires: number } | undefined;
      if (arrived?.uid === interaction.uid && arrived.expires > this.settings.clock.now())
        return this.#finish(req, res, interaction, arrived.user);
      const wish = await this.#wishOf(interaction);
      if (req.method !== 'POST') {
        const token = this.#tokens.seal(interaction.uid);
        return sendPage(res, 200, consentPage(wish, token));
      }
      await this.#decide(req, res, interaction);
    });
  }

  /** Takes the person back from the upstream issuer. */
  async arrive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { search, searchParams } = requestUrl(req, this.settings.issuer);
    const state = searchParams.get('state') ?? '';
    const now = this.settings.clock.now();
    const departure = this.#cookies.take<Departure>({ req, res }, DEPARTURE, { state, now });
    if (!departure) return explainEnd(res);
    await this.#orExplain(res, async () => {
      const { uid, expires } = departure;
      const user = await this.#upstream.arrive(search, departure);
      // The claims may be too large for a cookie, so they wait in the records. The cookie says whose they are.
      const scopes = await this.settings.scopesOf(user);
      await this.records.set('Account', user.subject, { user, scopes }, accountSeconds(this.settings));
      const bound = { uid, expires, user: { issuer: user.issuer, subject: user.subject, claims: {} } };
      this.#cookies.writeOneOf(res, ARRIVAL, { id: uid, value: bound, ms: DEPARTURE_MS });
      redirect(res, PAGES + uid);
    });
  }

  async #decide(req: IncomingMessage, res: ServerResponse, { uid }: Interaction): Promise<void> {
    const form = await readForm(req);
    const isOwn =
      isSentByPageOf(this.settings.issuer, req) && this.#tokens.open(form?.get('token') ?? '') === uid;
    if (!isOwn)
      return explain(
        res,
        403,
        'This form was not sent',
        'Open the address that your application shows again.',
      );
    if (form!.get('decision') !== 'allow')
      return this.#refuse(req, res, 'The person did not let the client in.');
    const { url, departure } = await this.#upstream.depart(uid, this.settings.clock.now() + DEPARTURE_MS);
    this.#cookies.writeOneOf(res, DEPARTURE, { id: departure.state, value: departure, ms: DEPARTURE_MS });
    redirect(res, url);
  }

  /** Grants what the client asked for and the person has, and refuses the rest, so that nobody asks for it again. */
  async #finish(
    req: IncomingMessage,
    res: ServerResponse,
    { uid, params }: Interaction,
    { subject }: ProxyUser,
  ): Promise<void> {
    this.#cookies.clear(res, nameOfOne(ARRIVAL, uid));
    const { scopes } = (await this.records.get('Account', subject)) as Account;
    const scope = String(params['scope'] ?? '');
    const grant = new this.provider.Grant({ accountId: subject, clientId: String(params['client_id']) });
    grant.addOIDCScope(scope);
    let isUseful = scope.split(' ').includes('openid');
    for (const [resource, name] of this.#resourcesOf(params['resource'])) {
      const known = this.settings.resources[name]!;
      const asked = scope.split(' ').filter((each) => known.includes(each));
      const granted = asked.filter((each) => scopes.includes(each));
      const refused = asked.filter((each) => !scopes.includes(each));
      isUseful ||= granted.length > 0;
      if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '));
      if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '));
    }
    if (!isUseful)
      return this.#refuse(req, res, 'The person may have none of the scopes that the client asks for.');
    const result = { login: { accountId: subject }, consent: { grantId: await grant.save() } };
    this.settings.logger?.info(
      { client: params['client_id'] },
      'A person has signed in through the authorization proxy',
    );
    await this.provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  async #refuse(req: IncomingMessage, res: ServerResponse, description: string): Promise<void> {
    const refused = { error: 'access_denied', error_description: description };
    await this.provider.interactionFinished(req, res, refused, { mergeWithLastSubmission: false });
  }

  async #wishOf({ params }: Interaction): Promise<ConsentWish> {
    const clientId = String(params['client_id']);
    const client = await this.provider.Client.find(clientId);
    const isKnown = this.settings.clients.some(({ client_id: id }) => id === clientId);
    const asked = String(params['scope'] ?? '').split(' ');
    return {
      clientId,
      clientName: client?.clientName,
      origin: isKnown ? 'known' : readUrl(clientId) ? 'document' : 'registered',
      redirect: String(params['redirect_uri']),
      // The person lets the client in at each of them, so the page names each.
      endpoints: [...new Set(this.#resourcesOf(params['resource']).values())].map((resource) => ({
        resource,
        scopes: asked.filter((each) => this.settings.resources[resource]!.includes(each)),
      })),
      upstream: this.settings.upstream.issuer,
    };
  }

  /**
   * The endpoints that a client wants to use: the name of each in the options, by the words of the client. A client that names
   * none means the first one.
   */
  #resourcesOf(asked: unknown): Map<string, string> {
    const { resources } = this.settings;
    const words = [asked].flat().filter((each): each is string => typeof each === 'string');
    const all = words.length > 0 ? words : Object.keys(resources).slice(0, 1);
    return new Map(
      all.flatMap((each) => {
        const name = resourceNamed(each, resources);
        return name === undefined ? [] : [[each, name] as const];
      }),
    );
  }

  async #interactionOf(req: IncomingMessage, res: ServerResponse): Promise<Interaction | undefined> {
    const found = await this.provider.interactionDetails(req, res).catch(() => undefined);
    const { pathname } = requestUrl(req, this.settings.issuer);
    return found && pathname === PAGES + found.uid ? found : undefined;
  }

  /** Shows a page when the upstream issuer refuses or does not answer. What it said goes to the log. */
  async #orExplain(res: ServerResponse, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (err) {
      this.settings.logger?.error({ err }, 'A sign-in through the authorization proxy failed');
      if (res.headersSent) return void res.destroy();
      const isRefused = (err as { error?: unknown }).error === 'access_denied';
      if (isRefused) explain(res, 403, 'You have not signed in', 'Begin again in your application.');
      else
        explain(res, 502, 'The sign-in failed', 'The operator of this server finds the reason in its log.');
    }
  }
}

const explainEnd = (res: ServerResponse) =>
  explain(res, 400, 'This sign-in has ended', 'Begin again in your application.');
