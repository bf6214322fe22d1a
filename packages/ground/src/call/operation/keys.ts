import { networkOf, oncePer, lazily } from '@toolwright/json';
import { hash, randomUUID } from 'node:crypto';
import type { Principal, RequestContext } from '../../base/request-context.js';
import type { ClaimOwner } from '../../ports/claim-store.js';
import type { DataOwner } from '../../ports/server-stores.js';
import type { Audience, BoundOperation } from './operation.js';

/** The part of an operation that tells it apart from others. */
export type Identified = Pick<BoundOperation, 'kind' | 'name'> & {
  readonly uri?: string;
  readonly uriTemplate?: string;
};

/**
 * What is unique among the operations of one kind: a URI, a URI template, or a name. Two resources may have
 * the same name.
 */
export function addressOf({ name, uri, uriTemplate }: Identified): string {
  return uri ?? uriTemplate ?? name;
}

/**
 * What is unique among the operations of a server that one caller may use. What is kept by operation and caller is kept
 * under this key. What callers share needs `candidateKey`.
 */
export function operationKey(operation: Identified): string {
  return `${operation.kind} ${addressOf(operation)}`;
}

/** The key under which the calls of an operation are counted. All versions of a tool count together. */
export function countedKey(operation: Identified & { readonly versionOf?: string | undefined }): string {
  const { kind, versionOf } = operation;
  return versionOf === undefined ? operationKey(operation) : `${kind} ${versionOf}`;
}

/** One of the operations that may have the same name. */
export type Candidate = Identified & {
  readonly audience?: Audience;
  readonly versionOf?: string | undefined;
};

/** A number for each function that says whom an operation is for. */
let lastAudience = 0;
const numberOf = oncePer((_: Audience) => ++lastAudience);

/** What the application wrote, of audiences that leave out callers of a newer version. */
const written = new WeakMap<Audience, Audience>();
const EVERYBODY: Audience = () => true;

/** Remembers what the application wrote as the audience of a version; `undefined` if the version is for everybody. */
export function keepWritten(narrowed: Audience, audience: Audience | undefined): Audience {
  written.set(narrowed, audience ?? EVERYBODY);
  return narrowed;
}

/** Whom an operation is for, as the application wrote it. All names of one version have the same answer. */
export function writtenAudience({ audience }: Pick<Candidate, 'audience'>): Audience | undefined {
  const known = audience && (written.get(audience) ?? audience);
  return known === EVERYBODY ? undefined : known;
}

/**
 * What is unique among all operations of this process: operations with one name differ in whom they are for. Versions of a
 * tool for the same callers are one. No other process knows this key, because a function has no name there.
 */
export function candidateKey(operation: Candidate): string {
  const audience = writtenAudience(operation);
  if (!audience) return operationKey(operation);
  return `${countedKey(operation)} for audience ${numberOf(audience)}`;
}

/*
 * Everything that a server keeps for a caller is kept under one of the two keys below, and nothing else makes such a
 * key. Both are JSON, because JSON keeps `a|b` + `c` and `a` + `b|c` apart. The number of members tells the forms apart,
 * so no subject can be chosen that gives the key of another tenant. A caller without a tenant has the key of before
 * there were tenants: sealed sessions, queued tasks and counted points stay its own.
 */

/**
 * One string for each caller, by which limits count. It is never a session id or a header, because the caller chooses
 * both.
 */
export function callerKey(
  { principal, ip }: Pick<RequestContext, 'principal' | 'ip'>,
  anonymousByIp: boolean,
): string {
  if (principal) {
    const { issuer = '', subject, clientId = '', tenant } = principal;
    const key = subject ? [issuer, subject] : ['client', issuer, clientId];
    return JSON.stringify(tenant === undefined ? key : ['tenant', tenant, ...key]);
  }
  return anonymousByIp && ip ? `ip ${networkOf(ip)}` : 'anonymous';
}

/** A text that identifies a caller and its client. Sessions, tasks and sealed states are bound to it. */
export function principalKey(principal: Principal | undefined): string {
  if (!principal) return '';
  const { issuer = '', subject, clientId = '', tenant } = principal;
  return JSON.stringify([issuer, subject, clientId, ...(tenant === undefined ? [] : [tenant])]);
}

/** How the keys of one subject or tenant (`principalKey`) are found among all. */
export interface PrincipalKeys {
  /** What each of them begins with, and what it ends with. Both narrow a search. */
  readonly begins: string;
  readonly ends: string;
  /** True for the keys of the owner, and for no other key. */
  has(key: string): boolean;
}

/** The keys of a subject, whatever its client and its tenant are, or those of all callers of a tenant. */
export function principalKeysOf(owner: DataOwner): PrincipalKeys {
  if ('tenant' in owner) {
    const { tenant } = owner;
    const ends = `,${JSON.stringify([tenant]).slice(1)}`;
    return { begins: '[', ends, has: (key) => key !== '' && ownerOfPrincipalKey(key).tenant === tenant };
  }
  const begins = `${JSON.stringify([owner.issuer ?? '', owner.subject]).slice(0, -1)},`;
  return { begins, ends: '', has: (key) => key.startsWith(begins) };
}

/** Who a key was made for. */
type KeyOwner = Pick<Principal, 'issuer' | 'clientId' | 'tenant'> & { readonly subject?: string };

/** The caller that `callerKey` made a key of. @throws {SyntaxError} for the key of an anonymous caller */
export function ownerOfCallerKey(key: string): KeyOwner {
  const parts = JSON.parse(key) as string[];
  // With a tenant there are four members or five, without one there are two or three.
  const [tenant, own] = parts.length > 3 ? [parts[1], parts.slice(2)] : [undefined, parts];
  return own.length === 2
    ? named({ tenant, issuer: own[0], subject: own[1] })
    : named({ tenant, issuer: own[1], clientId: own[2] });
}

/** The caller that `principalKey` made a key of. A store may hold what others have written, so anything may come. */
export function ownerOfPrincipalKey(key: string): KeyOwner {
  try {
    const parts: unknown = key === '' ? [] : JSON.parse(key);
    if (!Array.isArray(parts)) return {};
    const [issuer, subject, clientId, tenant] = parts.map(String);
    return named({ tenant, issuer, subject, clientId });
  } catch {
    // The runs of background methods have an owner that is not a principal.
    return {};
  }
}

function named(owner: { readonly [K in keyof KeyOwner]: string | undefined }): KeyOwner {
  return Object.fromEntries(Object.entries(owner).filter(([, text]) => text)) as KeyOwner;
}

/** What the key of a caller with a tenant begins with. Keys of an issuer called `tenant` do, too. */
const OF_TENANT = '["tenant",';

/**
 * Turns the key of a caller (`callerKey`) into the key of the party that takes turns: its tenant, which other callers share, or
 * the caller itself. The key of a tenant is never the key of a caller.
 */
export function partyOf(key: string): string {
  if (!key.startsWith(OF_TENANT)) return key;
  const parts = JSON.parse(key) as string[];
  return parts.length > 3 ? JSON.stringify(['tenant of', parts[1]]).slice(0, -1) : key;
}

/** A key that an application has made for its limit. Callers of two tenants never share it, whatever its text is. */
export function keyInTenant(text: string, principal: Principal | undefined): string {
  return principal?.tenant === undefined ? text : JSON.stringify(['tenant', principal.tenant, text]);
}

/** True for the key of a caller without a principal. */
export function isAnonymousKey(key: string): boolean {
  return !key.startsWith('[');
}

/** The owner of a claim that this caller makes. */
export function claimOwnerOf({ principal, ip }: Pick<RequestContext, 'principal' | 'ip'>): ClaimOwner {
  return { anonymous: !principal, key: callerKey({ principal, ip }, true) };
}

/**
 * The SHA-256 (base64url) of everything that a method can see of a principal, extra fields and claims included. None
 * of their text is kept. Two principals have the same digest only if no method could see a difference. The order of
 * scopes does not matter.
 */
export function principalDigest(principal: Principal | undefined): string {
  if (!principal) return 'anonymous';
  const scopes = [...(principal.scopes ?? [])].sort();
  return hash('sha256', JSON.stringify([canonical(principal), canonical(scopes)]), 'base64url');
}

/**
 * An object whose inside cannot be seen from outside is equal only to itself, and to nothing in another process.
 * The id of the process is drawn at first need: workerd forbids randomness while modules are loaded.
 */
const thisProcess = lazily(() => randomUUID());
let lastIdentity = 0;
const identityOf = oncePer((_: object) => ++lastIdentity);

/** A form in JSON, with the type beside each value. It keeps `1` and `'1'`, or a date and its text, apart. */
function canonical(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return ['bigint', String(value)];
  if (typeof value === 'number') return ['number', Object.is(value, -0) ? '-0' : String(value)];
  if (typeof value === 'symbol' || value === undefined) return [typeof value, String(value)];
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // An object that contains itself has no end, so it is compared by identity.
  if (typeof value === 'function' || around.includes(value))
    return ['object', thisProcess(), identityOf(value)];
  const inside = [...around, value];
  if (Array.isArray(value)) return ['array', value.map((item) => canonical(item, inside))];
  if (value instanceof Date) return ['date', value.getTime()];
  if (value instanceof Map || value instanceof Set)
    return [value.constructor.name, [...value].map((item) => canonical(item, inside))];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return ['object', thisProcess(), identityOf(value)];
  const members = Object.entries(value).filter(([name]) => around.length > 0 || name !== 'scopes');
  return [
    'members',
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, canonical(each, inside)]),
  ];
}
