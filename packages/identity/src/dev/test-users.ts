import { readFileSync } from 'node:fs';
import { optionRules } from '@toolwright/core/options';
import { DevIssuerError } from './dev-issuer-error.js';

/** A person that does not exist, as whom anybody on this machine may sign in. */
export interface TestUser {
  /** What tokens have as `sub`: letters, digits, `-`, `_` and `.`. */
  readonly subject: string;
  /** The name on the sign-in page. Default: the subject. */
  readonly name?: string;
  /** The scopes that a token of this user can have. */
  readonly scopes: readonly string[];
  /** Further claims of its access tokens, such as `{ "org_id": "acme" }` for a tenant. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Three users: one may do everything, one may only read, one may do nothing. */
export const defaultTestUsers: readonly TestUser[] = [
  { subject: 'ann', name: 'Ann, who may read and write', scopes: ['read', 'write'] },
  { subject: 'ben', name: 'Ben, who may read', scopes: ['read'] },
  { subject: 'cleo', name: 'Cleo, who has no scope', scopes: [] },
];

/**
 * Reads a file of test users, such as `test-users.json`: `[{ "subject": "ann", "name": "Ann", "scopes": ["read"] }]`.
 *
 * @throws {DevIssuerError} if there is no such file, or something in it is wrong
 */
export function readTestUsers(path: string): TestUser[] {
  let users: unknown;
  try {
    users = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new DevIssuerError(
      'TW_DEV_ISSUER_OPTIONS',
      `${path} cannot be read: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return checkTestUsers(users, path);
}

/**
 * @param place what the error names
 * @throws {DevIssuerError} if it is not a list of test users
 */
export function checkTestUsers(users: unknown, place: string): TestUser[] {
  const problem = findProblem(users);
  if (problem === undefined) return users as TestUser[];
  throw new DevIssuerError(
    'TW_DEV_ISSUER_OPTIONS',
    `${place}: ${problem} Expected: [{ "subject": "ann", "name": "Ann", "scopes": ["read"] }].`,
  );
}

const SUBJECT = /^[\w.-]{1,64}$/;

function findProblem(users: unknown): string | undefined {
  if (!Array.isArray(users) || users.length === 0) return 'It is no list with at least one user.';
  const seen = new Set<unknown>();
  for (const user of users as Partial<Record<keyof TestUser, unknown>>[]) {
    const { subject, name, scopes, claims } = user ?? {};
    if (typeof subject !== 'string' || !SUBJECT.test(subject))
      return `The subject ${JSON.stringify(subject)} has other characters than letters, digits, "-", "_" and ".".`;
    if (seen.has(subject)) return `Two users have the subject ${subject}.`;
    seen.add(subject);
    if (name !== undefined && typeof name !== 'string') return `The name of ${subject} is no text.`;
    if (!Array.isArray(scopes)) return `The scopes of ${subject} are no list.`;
    const wrong = scopes.find((scope) => !optionRules.oauthScope.accepts(scope)) as unknown;
    if (wrong !== undefined) return `${JSON.stringify(wrong)} of ${subject} is no scope.`;
    const problem = claims === undefined ? undefined : findProblemOfClaims(claims);
    if (problem !== undefined) return `The claims of ${subject} ${problem}`;
  }
  return undefined;
}

/** The claims that the issuer decides about. */
const OWN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'scope', 'client_id', 'cnf', 'act'];

function findProblemOfClaims(claims: unknown): string | undefined {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return 'are no object.';
  const own = Object.keys(claims).find((name) => OWN_CLAIMS.includes(name));
  return own && `have ${JSON.stringify(own)}, which the issuer writes by itself.`;
}
