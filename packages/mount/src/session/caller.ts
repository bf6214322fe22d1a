import { isObject } from '@toolwright/json';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { RequestContext } from '@toolwright/core';
import { principalKey } from '@toolwright/core/transport';
import type { Folders } from '../call/round.js';
import { randomUUID } from 'node:crypto';

/** Who has called, as far as sessions with a server behind must not mix it with others. */
export interface Caller {
  readonly key: string;
  /** The same for all sessions of one principal. Nobody can tell whether two anonymous callers are one. */
  readonly owner: string;
  /** True if no later call can be known to come from the same caller. */
  readonly isOnce: boolean;
  /** Calls the listener when nobody can call as this caller any more. */
  onEnd?(listener: () => void): void;
}

/**
 * The caller of a request. A session of the older era is one caller. On 2026-07-28, the principal is. Nothing
 * tells one anonymous caller over HTTP from another one, so each call has a session of its own. Over stdio there is one caller.
 */
export function callerOf({ session, principal, transport }: RequestContext): Caller {
  const who = principal ? principalKey(principal) : 'anonymous';
  const principalOwner = `principal ${who}`;
  if (session) {
    const key = `session ${session.id} ${who}`;
    return {
      key,
      owner: principal ? principalOwner : key,
      isOnce: false,
      onEnd: (listener) => session.onEnd(listener),
    };
  }
  if (principal || transport !== 'http') return { key: principalOwner, owner: principalOwner, isOnce: false };
  const key = `call ${randomUUID()}`;
  return { key, owner: key, isOnce: true };
}

/** Capabilities that a server behind may use: the ones that the client of our caller has. */
export function passedCapabilities(
  declared: Readonly<Record<string, unknown>>,
  folders: Folders,
): ClientCapabilities {
  const { elicitation, sampling, extensions } = declared as Record<
    string,
    Record<string, unknown> | undefined
  >;
  const ui = extensions?.['io.modelcontextprotocol/ui'];
  const parts = {
    ...(isObject(elicitation) && { elicitation: only(elicitation, ['form', 'url']) }),
    ...(isObject(sampling) && { sampling: only(sampling, ['tools', 'context']) }),
    ...(folders !== 'refuse' && (folders !== 'ask' || isObject(declared['roots'])) && { roots: {} }),
    ...(isObject(ui) && { extensions: { 'io.modelcontextprotocol/ui': ui } }),
  };
  return parts as ClientCapabilities;
}

function only(all: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (isObject(all[name]) ? [[name, {}]] : [])));
}
