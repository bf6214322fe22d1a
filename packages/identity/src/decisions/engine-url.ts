import { readUrl } from '@toolwright/json';
import type { OptionRule } from '@toolwright/core/options';

/** The address of a policy engine. Engines often run beside the server or inside a cluster, so http is allowed. */
export const engineUrl: OptionRule = {
  expected: 'an http or https URL without a query',
  accepts: (value) => {
    const url = typeof value === 'string' ? readUrl(value) : undefined;
    if (url === undefined) return false;
    const { protocol, search, hash, username, password } = url;
    return /^https?:$/.test(protocol) && [search, hash, username, password].every((part) => part === '');
  },
};
