import { issuerMetadataUrls, isWebUrl } from '@toolwright/json';
import { type SignInAnswer, type Wire, described, isFromBetween } from './ask.js';
import { memberThatEnds } from './answer-shapes.js';
import { SignInProblem } from './problems.js';
import { textsIn } from './read-metadata.js';

/** What a client needs of the metadata of an issuer (RFC 8414). */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly jwksUri: string | undefined;
  readonly revocationEndpoint: string | undefined;
  readonly takesDocuments: boolean;
  readonly scopes: readonly string[];
}

/** How many seconds clocks may differ before it is worth a note, and before a server may refuse. */
export const CLOCK_SECONDS = 30;

export async function discoverIssuer(
  wire: Wire,
  issuer: string,
  { notes, now }: { notes: string[]; now: number },
): Promise<IssuerMetadata> {
  const answers: SignInAnswer[] = [];
  for (const url of issuerMetadataUrls(issuer)) {
    const answer = await wire.ask('issuer-unreachable', url, { headers: { accept: 'application/json' } });
    answers.push(answer);
    if (answer.status === 200 && answer.json) return check(answer, { issuer, notes, now });
  }
  const [first] = answers;
  const blocked = answers.find(isFromBetween);
  if (blocked) throw new SignInProblem('issuer-blocked', `${described(blocked)}.`);
  throw new SignInProblem(
    'issuer-without-metadata',
    `${described(first!)}, and so did ${answers.length - 1} other places.`,
  );
}

function check(
  { json = {}, headers, url }: SignInAnswer,
  { issuer, notes, now }: { issuer: string; notes: string[]; now: number },
): IssuerMetadata {
  const text = (name: string) => (typeof json[name] === 'string' ? json[name] : undefined);
  if (text('issuer') !== issuer)
    throw new SignInProblem(
      'issuer-differs',
      `The server names ${issuer}, and ${url} says it is of ${text('issuer')}.`,
    );
  const endpoint = (name: string) => (isWebUrl(json[name]) ? json[name] : undefined);
  const authorizationEndpoint = endpoint('authorization_endpoint');
  const tokenEndpoint = endpoint('token_endpoint');
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined)
    throw new SignInProblem(
      'issuer-incomplete',
      `${url} names no endpoint for ${authorizationEndpoint === undefined ? 'authorization' : 'tokens'}.`,
    );
  if (!textsIn(json['code_challenge_methods_supported']).includes('S256'))
    throw new SignInProblem('pkce-unsupported', `${url} does not say that it takes PKCE with S256.`);
  const wrong = memberThatEnds(url.includes('/openid-configuration') ? 'openid' : 'oauth', json);
  if (wrong !== undefined) throw new SignInProblem('issuer-invalid', `Clients end at ${wrong}, in ${url}.`);
  noteClock(headers, now, notes);
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    registrationEndpoint: endpoint('registration_endpoint'),
    jwksUri: endpoint('jwks_uri'),
    revocationEndpoint: endpoint('revocation_endpoint'),
    scopes: textsIn(json['scopes_supported']),
    takesDocuments: json['client_id_metadata_document_supported'] === true,
  };
}

function noteClock(headers: Headers, now: number, notes: string[]): void {
  const theirs = Date.parse(headers.get('date') ?? '');
  const seconds = Math.round((theirs - now) / 1_000);
  if (Math.abs(seconds) > CLOCK_SECONDS)
    notes.push(
      `The clock of the issuer is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's.`,
    );
}
