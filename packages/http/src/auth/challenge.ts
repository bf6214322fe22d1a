/** The parameters of a `WWW-Authenticate: Bearer` header (RFC 6750, RFC 9728). */
export interface BearerChallenge {
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  error_description?: string;
  scope?: string;
  resource_metadata?: string;
}

/**
 * Writes the header. The values are ours or configured, but quotes and control characters are dropped all the
 * same.
 */
export function bearerChallenge(parameters: BearerChallenge): string {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${String(value).replace(/[^\x20-\x7e]|["\\]/g, '')}"`);
  return parts.length ? `Bearer ${parts.join(', ')}` : 'Bearer';
}
