/**
 * True for `application/json` with any parameters. Read as a media type: a search for the words would let a form's
 * `text/plain; a=application/json` through, which a page may send anywhere without asking (CORS-simple).
 */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  return contentType.split(';', 1)[0]!.trim().toLowerCase() === 'application/json';
}
