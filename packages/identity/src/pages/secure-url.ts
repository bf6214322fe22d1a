import { isSecureUrl } from '@toolwright/json';

/** Only https, or this machine: everything else could be read and changed on the way. */
export const secureUrl = {
  expected: 'an https URL (http on this machine), without a query or fragment',
  accepts(value: unknown) {
    if (typeof value !== 'string' || !isSecureUrl(value)) return false;
    const { search, hash } = new URL(value);
    return search === '' && hash === '';
  },
};
