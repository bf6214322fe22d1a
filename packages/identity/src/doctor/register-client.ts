import { type Wire, described, isFromBetween } from './ask.js';
import { memberThatEnds } from './answer-shapes.js';
import type { IssuerMetadata } from './discover-issuer.js';
import { SignInProblem } from './problems.js';

export interface KnownClient {
  readonly id: string;
  readonly secret?: string;
}

export interface ClientWish {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The URL of a client metadata document. */
  readonly clientDocument?: string | undefined;
  readonly redirectUri: string;
  readonly scope: string;
  readonly clientName: string;
  /** Whether the client wants refresh tokens. */
  readonly stays: boolean;
}

/** Comes to a client id in the order that the specification advises: registered beforehand, a document, registration. */
export async function registerClient(
  wire: Wire,
  issuer: IssuerMetadata,
  wish: ClientWish,
  notes: string[],
): Promise<KnownClient> {
  const { clientId, clientSecret, clientDocument } = wish;
  if (clientId !== undefined) {
    notes.push('The client was registered beforehand.');
    return { id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) };
  }
  if (issuer.takesDocuments && clientDocument !== undefined) {
    notes.push(`The client is its metadata document ${clientDocument}.`);
    return { id: clientDocument };
  }
  const { registrationEndpoint } = issuer;
  if (registrationEndpoint === undefined)
    throw new SignInProblem(
      'registration-missing',
      `The issuer registers no clients${issuer.takesDocuments ? '. It takes client metadata documents' : ', and takes no client metadata documents'}.`,
    );
  return register(wire, registrationEndpoint, wish, notes);
}

async function register(
  wire: Wire,
  endpoint: string,
  { redirectUri, scope, clientName, stays }: ClientWish,
  notes: string[],
): Promise<KnownClient> {
  const answer = await wire.ask('registration-blocked', endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', ...(stays ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== '' && { scope }),
    }),
  });
  const { status, json = {} } = answer;
  const { client_id: id, client_secret: secret, error } = json;
  if ((status === 200 || status === 201) && typeof id === 'string') {
    const wrong = memberThatEnds('registration', json);
    if (wrong !== undefined)
      throw new SignInProblem(
        'registration-invalid',
        `Clients end at ${wrong}, in the answer of ${endpoint}.`,
      );
    notes.push('The issuer registered a client.');
    return { id, ...(typeof secret === 'string' && { secret }) };
  }
  if (isFromBetween(answer)) throw new SignInProblem('registration-blocked', `${described(answer)}.`);
  const isClosed = status === 401 || status === 403 || error === 'access_denied' || error === 'invalid_token';
  if (isClosed) throw new SignInProblem('registration-closed', `${described(answer)}.`);
  if (error === 'invalid_redirect_uri')
    throw new SignInProblem('registration-redirect', `${described(answer)}.`);
  throw new SignInProblem('registration-refused', `${described(answer)}.`);
}
