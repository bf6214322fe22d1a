import { isWebUrl, RESOURCE_METADATA_PATH, resourceMetadataUrl } from '@toolwright/json';
import { type SignInAnswer, type Wire, described, isFromBetween } from './ask.js';
import { memberThatEnds } from './answer-shapes.js';
import type { BearerChallenge } from './challenge.js';
import { SignInProblem } from './problems.js';

/** What a client needs of the metadata of a server (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/**
 * @param challenge what the server asked for; `undefined` if it let the doctor in without a token
 * @returns `undefined` if the server lets anybody in and has no metadata
 */
export async function readMetadata(
  wire: Wire,
  url: string,
  challenge: BearerChallenge | undefined,
  notes: string[],
): Promise<ResourceMetadata | undefined> {
  const named = challenge?.resource_metadata;
  if (named !== undefined && !isWebUrl(named))
    throw new SignInProblem('metadata-relative', `The challenge names resource_metadata="${named}".`);
  if (named === undefined)
    notes.push('No challenge names the metadata, so clients look for it by themselves.');
  const answer = await findAnswer(wire, named === undefined ? guesses(url) : [named]);
  const isFound = answer.status === 200;
  // Some apps answer every path with a page. Clients read metadata only after a challenge.
  if (!challenge && !(isFound && answer.json)) return undefined;
  const other = challenge?.otherScheme;
  if (other !== undefined && !(isFound && answer.json))
    throw new SignInProblem('challenge-other', `The server wants ${other}, and ${described(answer)}.`);
  if (isFromBetween(answer)) throw new SignInProblem('metadata-blocked', `${described(answer)}.`);
  if (!isFound && named === undefined) throw new SignInProblem('challenge-missing', `${described(answer)}.`);
  if (!isFound) throw new SignInProblem('metadata-unreachable', `${described(answer)}.`);
  return check(url, answer, challenge, notes);
}

function check(
  url: string,
  answer: SignInAnswer,
  challenge: BearerChallenge | undefined,
  notes: string[],
): ResourceMetadata {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = answer.json ?? {};
  if (!answer.json || !isWebUrl(resource))
    throw new SignInProblem('metadata-invalid', `${described(answer)}, and no resource in it.`);
  if (!covers(resource, url))
    throw new SignInProblem('resource-wrong', `The metadata is of ${resource}, and clients came to ${url}.`);
  const [issuer] = textsIn(issuers);
  if (!isWebUrl(issuer))
    throw new SignInProblem('issuer-unnamed', 'The metadata names no issuer in authorization_servers.');
  const wrong = memberThatEnds('resource', answer.json);
  if (wrong !== undefined)
    throw new SignInProblem('metadata-invalid', `${described(answer)}, and clients end at ${wrong}.`);
  const wanted = challenge?.scope?.split(' ').filter(Boolean) ?? [];
  const asked = wanted.length > 0 ? wanted : textsIn(scopes);
  notes.push(`resource ${resource}`, `issuer ${issuer}`, `scopes to ask for: ${asked.join(' ') || 'none'}`);
  return { resource, issuer, scopes: asked };
}

/** As clients check it: the same origin, and a path at or above that of the endpoint. */
function covers(resource: string, url: string): boolean {
  const [one, other] = [new URL(resource), new URL(url)];
  const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return one.origin === other.origin && withSlash(other.pathname).startsWith(withSlash(one.pathname));
}

/** Where clients look if no challenge says it. */
const guesses = (url: string) =>
  new Set([resourceMetadataUrl(url), new URL(RESOURCE_METADATA_PATH, url).href]);

async function findAnswer(wire: Wire, urls: Iterable<string>): Promise<SignInAnswer> {
  let last: SignInAnswer | undefined;
  for (const url of urls) {
    last = await wire.ask('metadata-unreachable', url, { headers: { accept: 'application/json' } });
    if (last.status === 200) break;
  }
  return last!;
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
