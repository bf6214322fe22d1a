import type { ErrorCode } from '../errors/catalogue.js';
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import type { CallSite } from './call-site.js';

/** A problem at the place of a decorator. */
export function problemAt(
  site: Pick<CallSite, 'location'> | undefined,
  code: ErrorCode,
  { message, fix }: { message: string; fix: string },
): ConfigurationProblem {
  const location = site?.location;
  return { code, message, fix, ...(location && { location }) };
}
