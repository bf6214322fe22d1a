import type { RequestContext } from '../../base/request-context.js';
import type { ClaimOwner } from '../../ports/claim-store.js';
import type { BoundOperation } from './operation.js';

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
 * What is unique among all operations of a server. Everything that is kept by operation is kept under this
 * key.
 */
export function operationKey(operation: Identified): string {
  return `${operation.kind} ${addressOf(operation)}`;
}

/**
 * One string for each caller, by which limits count. It is never a session id or a header, because the caller chooses
 * both. JSON keeps `a|b` + `c` and `a` + `b|c` apart.
 */
export function callerKey(
  { principal, ip }: Pick<RequestContext, 'principal' | 'ip'>,
  anonymousByIp: boolean,
): string {
  if (principal) {
    const { issuer, subject, clientId } = principal;
    return JSON.stringify(subject ? [issuer ?? '', subject] : ['client', issuer ?? '', clientId ?? '']);
  }
  return anonymousByIp && ip ? `ip ${networkOf(ip)}` : 'anonymous';
}

/** True for the key of a caller without a principal. */
export function isAnonymousKey(key: string): boolean {
  return !key.startsWith('[');
}

/** The owner of a claim that this caller makes. */
export function claimOwnerOf({ principal, ip }: Pick<RequestContext, 'principal' | 'ip'>): ClaimOwner {
  return { anonymous: !principal, key: callerKey({ principal, ip }, true) };
}

/** An IPv6 host owns its whole /64: counting single addresses would give it 2^64 quotas. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  // An IPv4 address in the form in which a socket for both families reports it.
  if (ip.includes('.')) return ip.slice(ip.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = ip.toLowerCase().split('::');
  const front = head ? head.split(':') : [];
  const back = tail ? tail.split(':') : [];
  const middle = ip.includes('::')
    ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
    : [];
  return [...front, ...middle, ...back].slice(0, 4).join(':');
}
