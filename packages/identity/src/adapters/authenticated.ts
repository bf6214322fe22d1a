import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';

/** Why a caller was not let in, in the words of `@toolwright/http`. */
type Reason = 'missing' | 'malformed' | 'unknown-key' | 'signature' | 'expired' | 'claims';

/** What a function for the option `authenticate` of an endpoint answers. */
export type Authenticated =
  | { readonly principal: Principal | undefined; readonly challenge?: undefined }
  | {
      readonly principal?: undefined;
      readonly challenge: {
        readonly status: number;
        readonly message: string;
        readonly reason: Reason;
        readonly headers: Readonly<Record<string, string>>;
      };
    };

/** Refuses a caller. */
export function challenge(status: number, reason: Reason, message: string): Authenticated {
  const headers: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return { challenge: { status, reason, message, headers } };
}

export function headerOf({ headers }: IncomingMessage | Request, name: string): string | undefined {
  const value =
    'get' in headers && typeof headers.get === 'function'
      ? (headers.get(name) as string | null)
      : (headers as IncomingMessage['headers'])[name];
  return value === null || value === undefined ? undefined : String(value);
}

/** Node keeps one of two such headers; something in front may have looked at the other one. */
export function isRepeated(req: IncomingMessage | Request, name: string): boolean {
  if (!('rawHeaders' in req)) return (headerOf(req, name) ?? '').includes(',');
  return req.rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length > 1;
}
