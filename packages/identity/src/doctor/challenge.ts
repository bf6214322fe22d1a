import { withoutQuoted } from '@toolwright/json';

/** A challenge of `WWW-Authenticate` (RFC 9110, section 11.6.1), as far as a sign-in needs it. */
export interface BearerChallenge {
  readonly error?: string;
  readonly error_description?: string;
  readonly scope?: string;
  readonly resource_metadata?: string;
  /** What the server wants in place of a token of OAuth, such as Basic. */
  readonly otherScheme?: string;
}

/** The parameters of the Bearer challenge; `undefined` if there is none. */
export function readChallenge(header: string | null): BearerChallenge | undefined {
  if (header === null || !/\bBearer\b/i.test(withoutQuoted(header))) return undefined;
  const found: Record<string, string> = {};
  for (const [, name, quoted, plain] of header.matchAll(
    /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
  ))
    found[name!.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? plain!;
  return found;
}
