import { readUrl } from '@toolwright/json';
import { createHash, randomBytes } from 'node:crypto';
import { type SignInAnswer, type Wire, described, isFromBetween } from './ask.js';
import type { IssuerMetadata } from './discover-issuer.js';
import { type SignInProblemCode, SignInProblem } from './problems.js';
import type { KnownClient } from './register-client.js';

/** The scope with which OpenID Connect asks for a refresh token. */
export const OFFLINE = 'offline_access';

/** Opens the page of the issuer for a person. @returns the address at which the answer came back */
export type OpenPage = (url: URL) => Promise<URL>;

export interface AuthorizeWish {
  readonly client: KnownClient;
  readonly redirectUri: string;
  readonly scope: string;
  readonly resource: string;
  readonly openPage: OpenPage;
}

export interface Authorized {
  readonly code: string;
  readonly verifier: string;
}

/** Asks for a code, with PKCE. Before a person is troubled, it looks whether the issuer refuses at once. */
export async function authorize(
  wire: Wire,
  issuer: IssuerMetadata,
  { client, redirectUri, scope, resource, openPage }: AuthorizeWish,
): Promise<Authorized> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const url = new URL(issuer.authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    ...(scope !== '' && { scope }),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    // OpenID Connect Core, section 11: without consent the scope is ignored.
    ...(scope.split(' ').includes(OFFLINE) && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const early = await refusedAtOnce(wire, url, redirectUri);
  const back = early ?? (await openPage(url)).searchParams;
  const error = back.get('error');
  if (error !== null) throw refused(error, back.get('error_description') ?? '');
  const code = back.get('code');
  const iss = back.get('iss');
  if (code === null || back.get('state') !== state)
    throw new SignInProblem('answer-foreign', 'What came back has no code, or the state of another request.');
  if (iss !== null && iss !== issuer.issuer)
    throw new SignInProblem('answer-foreign', `What came back is of ${iss}, and ${issuer.issuer} was asked.`);
  return { code, verifier };
}

/** @returns what the issuer sends back to the client, if it does so without showing a page */
async function refusedAtOnce(
  wire: Wire,
  url: URL,
  redirectUri: string,
): Promise<URLSearchParams | undefined> {
  const answer = await wire.ask('authorize-refused', url, { headers: { accept: 'text/html' } });
  const { status, headers } = answer;
  const location = headers.get('location');
  if (location !== null && status < 400) {
    const to = readUrl(location, url);
    if (to === undefined)
      throw new SignInProblem('authorize-refused', `${described(answer)}, and leads to no address.`);
    const isBack = `${to.origin}${to.pathname}` === redirectUri;
    return isBack && to.searchParams.has('error') ? to.searchParams : undefined;
  }
  if (status < 400) return undefined;
  throw pageOfRefusal(answer);
}

/** Without a valid redirect address, an issuer can only show a page. It tells the reason in words. */
function pageOfRefusal(answer: SignInAnswer): SignInProblem {
  const { text, json } = answer;
  const said = json ? JSON.stringify(json) : text;
  const hasIn = (pattern: RegExp) => pattern.test(said);
  const problem = `${described(answer)}.`;
  if (hasIn(/AADSTS9010010|invalid_target|resource/i) && !hasIn(/redirect_uri/i))
    return new SignInProblem('resource-refused', problem);
  if (hasIn(/redirect_uri|redirect uri|AADSTS50011/i))
    return new SignInProblem('redirect-unregistered', problem);
  if (hasIn(/invalid_client|unauthorized_client|client.{0,20}(?:invalid|unknown|not found)|AADSTS700016/i))
    return new SignInProblem('client-unknown', problem);
  if (isFromBetween(answer) && hasIn(/cloudflare|access denied|forbidden|captcha/i))
    return new SignInProblem('authorize-refused', `${problem} It looks like the page of a firewall.`);
  return new SignInProblem('authorize-refused', problem);
}

const codes: Readonly<Record<string, SignInProblemCode>> = {
  access_denied: 'person-refused',
  consent_required: 'person-refused',
  login_required: 'person-refused',
  interaction_required: 'person-refused',
  invalid_scope: 'scope-refused',
  invalid_target: 'resource-refused',
  invalid_resource: 'resource-refused',
  unauthorized_client: 'client-unknown',
  invalid_client: 'client-unknown',
};

function refused(error: string, description: string): SignInProblem {
  const problem = `The issuer sent back "${error}"${description && `: ${description}`}.`;
  if (/AADSTS9010010/.test(description)) return new SignInProblem('resource-refused', problem);
  return new SignInProblem(codes[error] ?? 'authorize-refused', problem);
}
