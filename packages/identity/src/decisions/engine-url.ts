import { isWebUrl } from '@toolwright/json';
import type { OptionRule } from '@toolwright/core/options';

/** The address of a policy engine. Engines often run beside the server or inside a cluster, so http is allowed. */
export const engineUrl: OptionRule = {
  expected: 'an http or https URL without a query',
  accepts: (value) => {
    if (!isWebUrl(value)) return false;
    const { search, hash, username, password } = new URL(value);
    return [search, hash, username, password].every((part) => part === '');
  },
};
