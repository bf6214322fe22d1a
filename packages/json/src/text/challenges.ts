/**
 * A `WWW-Authenticate` header without the texts in quotes, which may name any scheme. A text whose
 * end is missing goes up to the end of the header, so each character is read once.
 */
export const withoutQuoted = (header: string): string => header.replace(/"(?:[^"\\]|\\[^])*(?:"|\\?$)/g, '');

/** The scheme of a `WWW-Authenticate` header that has none of OAuth, such as Basic. */
export function readOtherScheme(header: string): string | undefined {
  const bare = withoutQuoted(header).trim();
  return /\b(?:Bearer|DPoP)\b/i.test(bare) ? undefined : /^[\w-]+/.exec(bare)?.[0];
}
