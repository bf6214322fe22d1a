/**
 * A URL from a text; `undefined` for any other text.
 *
 * `URL.canParse` is not used: in Node.js 20 it refuses Latin-1 letters such as ä once it has been called some thousand times.
 *
 * @param base the address that a relative one begins at
 * @example
 * readUrl('https://ä.example/')?.hostname // 'xn--4ca.example'
 */
export function readUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether a value is the text of an http or https URL. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:$/.test(readUrl(value)?.protocol ?? '');
}

/** Whether an address has a user name or a password. */
export const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';
