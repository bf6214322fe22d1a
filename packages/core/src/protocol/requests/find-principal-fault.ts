import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { Principal } from '../../base/request-context.js';
import type { ProtocolHost } from '../protocol-host.js';

/**
 * Why a caller cannot be served as this principal. Sessions, quotas, sealed states and audit records are kept
 * by subject or client id. All principals without either would be treated as one.
 */
export function findPrincipalFault(
  principal: Principal | undefined,
  { requiresPrincipal }: Pick<ProtocolHost, 'requiresPrincipal'>,
): ConfigurationProblem | undefined {
  if (principal) return isNamed(principal) ? undefined : UNNAMED;
  return requiresPrincipal ? ANONYMOUS : undefined;
}

function isNamed({ subject, clientId }: Partial<Principal>): boolean {
  return isText(subject) || isText(clientId);
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';

const UNNAMED: ConfigurationProblem = {
  code: 'TW_PRINCIPAL_UNNAMED',
  message: 'A principal has neither a subject nor a clientId, so the server cannot tell it from others.',
  fix: 'Set "subject" or "clientId" to a non-empty text, or return undefined if nobody is signed in.',
};

const ANONYMOUS: ConfigurationProblem = {
  code: 'TW_SECURITY_STRICT',
  message: 'The strict posture refuses anonymous callers, and nothing says who calls.',
  fix: "Over HTTP, set oauth, principal or authenticate; over stdio, set principal. Or relax this part: security: { mode: 'strict', relax: ['principals'] }.",
};
