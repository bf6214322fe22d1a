import { copyData, present } from '@toolwright/json';
import type { Principal } from '@toolwright/core';
import type { DecisionInput, DecisionPrincipal } from './decision.js';

export type DecisionSubject = Principal | undefined;

/** The part of an operation that a decision is about. All versions of a tool have one name. */
export interface DecidedOperation {
  readonly kind: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly uri?: string;
  readonly annotations: object;
}

/** An operation as a call finds it. A version of a tool has a name of its own, besides that of the tool. */
export interface CalledOperation extends DecidedOperation {
  readonly versionOf?: string | undefined;
}

/** The name under which rules know an operation. */
export const nameOf = ({ name, versionOf = name }: CalledOperation): string => versionOf;

/** What a decision is about. */
export interface AskedDecision {
  readonly operation: CalledOperation;
  readonly principal: DecisionSubject;
  readonly uri?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly claims: readonly string[];
}

/** What the engine gets: only what a decision may depend on, since it is also the key of the cache. */
export function inputOf(
  action: DecisionInput['action'],
  { operation, principal, uri = operation.uri, args = {}, claims }: AskedDecision,
): DecisionInput {
  const { kind, version, annotations } = operation;
  return {
    action,
    principal: principal ? principalOf(principal, claims) : null,
    operation: present({ kind, name: nameOf(operation), version, uri, annotations: { ...annotations } }),
    // The engine may be code of the application, and the call goes on with its own.
    arguments: copyData(args),
  };
}

function principalOf(principal: Principal, names: readonly string[]): DecisionPrincipal {
  const { issuer, subject, clientId, tenant, scopes, claims = {} } = principal;
  const known = names.filter((name) => Object.hasOwn(claims, name));
  return {
    ...(issuer !== undefined && { issuer }),
    subject,
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
    scopes: [...scopes].sort(),
    ...(known.length > 0 && {
      claims: Object.fromEntries(known.map((name) => [name, (claims as Record<string, unknown>)[name]])),
    }),
  };
}
