import { randomUUID } from 'node:crypto';
import type { OAuthResourceServer } from '@toolwright/http';
import { type Request, type Response, Router } from 'express';
import type { Configuration } from 'openid-client';
import type { DeskClient } from '../desk-settings.js';
import { html, page } from './html.js';
import { deskScopes } from '../tenants/tenants.js';

interface SignInSettings {
  readonly origin: string;
  readonly issuer: string;
  readonly client: DeskClient;
  readonly oauth: OAuthResourceServer;
}

/**
 * Signs people in on the pages of the desk, at the issuer that they also use for the tools. Their access token is checked
 * as one of a tool's caller is, so that they are the same people with the same tenant in both places.
 */
export function signIn({ origin, issuer, client, oauth }: SignInSettings): Router {
  const back = `${origin}/sign-in/callback`;
  let configuration: Promise<Configuration> | undefined;
  const configure = async () => {
    const oidc = await import('openid-client');
    configuration ??= oidc.discovery(new URL(issuer), client.id, client.secret, undefined, {
      execute: [oidc.allowInsecureRequests],
    });
    return { oidc, configuration: await configuration };
  };
  const router = Router();

  router.get('/sign-in', async (req, res) => {
    const { oidc, configuration: at } = await configure();
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    req.session.departure = { state, nonce, verifier, returnTo: pathOf(req.query['to']) };
    const url = oidc.buildAuthorizationUrl(at, {
      redirect_uri: back,
      scope: ['openid', ...deskScopes].join(' '),
      resource: oauth.resource,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    res.redirect(303, url.href);
  });

  router.get('/sign-in/callback', async (req: Request, res: Response) => {
    const { departure } = req.session;
    if (!departure) return res.redirect(303, '/sign-in');
    const { oidc, configuration: at } = await configure();
    const checks = {
      expectedState: departure.state,
      expectedNonce: departure.nonce,
      pkceCodeVerifier: departure.verifier,
      idTokenExpected: true,
    };
    const answer = await oidc
      .authorizationCodeGrant(at, new URL(req.originalUrl, origin), checks, { resource: oauth.resource })
      .catch((error: unknown) => {
        if (isOfPerson(error)) return undefined;
        throw error;
      });
    if (!answer)
      return void res
        .status(400)
        .send(page('You have not signed in', html`<p>You can <a href="/sign-in">try again</a>.</p>`));
    const authorization = `Bearer ${answer.access_token}`;
    const known = await oauth.authenticate(
      new globalThis.Request(oauth.resource, { headers: { authorization } }),
    );
    const principal = 'principal' in known ? known.principal : undefined;
    if (principal?.tenant === undefined)
      return void res
        .status(403)
        .send(
          page(
            'You do not work here',
            html`<p>
              You work for no tenant of this desk. <a href="/sign-in">Sign in as somebody else</a>.
            </p>`,
          ),
        );
    // A session that somebody knew before the sign-in is worth nothing afterwards.
    await new Promise<void>((resolve, reject) =>
      req.session.regenerate((error) => (error ? reject(error as Error) : resolve())),
    );
    req.session.agent = { tenant: principal.tenant, subject: principal.subject };
    req.session.formToken = randomUUID();
    res.redirect(303, departure.returnTo);
  });

  return router;
}

/** The person has refused, or has come back to the sign-in of another tab. Nothing is broken. */
const isOfPerson = (error: unknown) =>
  ['OAUTH_AUTHORIZATION_RESPONSE_ERROR', 'OAUTH_INVALID_RESPONSE'].includes((error as { code: string }).code);

/** A page of the desk: never an address of somebody else. */
function pathOf(given: unknown): string {
  return typeof given === 'string' && /^\/(tickets(\/[\w-]+)?|exports\/[\w-]+)$/.test(given)
    ? given
    : '/tickets';
}
