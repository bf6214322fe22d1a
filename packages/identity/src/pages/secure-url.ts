import { readUrl, isLoopback } from '@toolwright/json';

/** Only https, or this machine: everything else could be read and changed on the way. */
export const secureUrl = {
  expected: 'an https URL (http on this machine), without a query or fragment',
  accepts(value: unknown) {
    const url = typeof value === 'string' ? readUrl(value) : undefined;
    if (url === undefined) return false;
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
    return url.search === '' && url.hash === '' && isSafe;
  },
};
