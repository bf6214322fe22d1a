import { isLoopback } from '../loopback.js';

/** Only https, or this machine: everything else could be read and changed on the way. */
export const secureUrl = {
  expected: 'an https URL (http on this machine), without a query or fragment',
  accepts(value: unknown) {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    const url = new URL(value);
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
    return url.search === '' && url.hash === '' && isSafe;
  },
};
