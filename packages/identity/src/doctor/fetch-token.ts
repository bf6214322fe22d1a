import { type Wire, described, isFromBetween } from './ask.js';
import { memberThatEnds } from './answer-shapes.js';
import type { Authorized } from './authorize.js';
import type { IssuerMetadata } from './discover-issuer.js';
import { SignInProblem } from './problems.js';
import type { KnownClient } from './register-client.js';

export interface SignInTokenWish {
  readonly client: KnownClient;
  readonly redirectUri: string;
  readonly resource: string;
  readonly authorized: Authorized;
}

/** What the issuer gives for a code. */
interface FetchedToken {
  readonly token: string;
  readonly granted: string | undefined;
  readonly refreshToken: string | undefined;
  /** In seconds. */
  readonly lifetime: number | undefined;
}

/** Exchanges the code. The token is in no report. */
export async function fetchToken(
  wire: Wire,
  issuer: IssuerMetadata,
  { client, redirectUri, resource, authorized }: SignInTokenWish,
  notes: string[],
): Promise<FetchedToken> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: authorized.code,
    redirect_uri: redirectUri,
    client_id: client.id,
    code_verifier: authorized.verifier,
    resource,
    ...(client.secret !== undefined && { client_secret: client.secret }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const answer = await wire.ask('token-blocked', issuer.tokenEndpoint, {
    method: 'POST',
    headers,
    body: body.toString(),
  });
  const { status, json = {} } = answer;
  const { access_token: token, scope, error, error_description: description } = json;
  if (status === 200 && typeof token === 'string') {
    const wrong = memberThatEnds('tokens', json);
    if (wrong !== undefined)
      throw new SignInProblem(
        'token-invalid',
        `Clients end at ${wrong}, in the answer of ${issuer.tokenEndpoint}.`,
      );
    const granted = typeof scope === 'string' ? scope : undefined;
    if (granted !== undefined) notes.push(`granted: ${granted || 'no scope'}`);
    const { refresh_token: refresh, expires_in: lifetime } = json;
    return {
      token,
      granted,
      refreshToken: typeof refresh === 'string' ? refresh : undefined,
      lifetime: typeof lifetime === 'number' ? lifetime : undefined,
    };
  }
  const problem = `${described(answer)}.`;
  if (isFromBetween(answer)) throw new SignInProblem('token-blocked', problem);
  if (error === 'invalid_target' || /AADSTS9010010/.test(String(description)))
    throw new SignInProblem('token-resource-refused', problem);
  if (error === 'invalid_grant') throw new SignInProblem('code-refused', problem);
  if (error === 'invalid_client' || status === 401) throw new SignInProblem('client-refused', problem);
  throw new SignInProblem('token-refused', problem);
}
