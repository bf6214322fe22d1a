import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';

/**
 * The caller, as `Authorization: Bearer <name>` says it. There is no secret in it: in this example everybody may
 * say who they are. A real server uses `oauth`, as docs/authorization.md shows.
 */
export function callerOf({ headers }: IncomingMessage): Principal | undefined {
  const subject = /^Bearer ([\w-]{1,64})$/.exec(headers.authorization ?? '')?.[1];
  return subject === undefined ? undefined : { subject, scopes: [] };
}
