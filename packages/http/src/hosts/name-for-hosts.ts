/** As Claude Code allows names; the other hosts allow more. */
const REFUSED = /[^A-Za-z0-9_-]+/g;
const LONGEST = 64;

/** The name under which hosts know a server: letters, digits, `_` and `-`. `@acme/notes` becomes `acme-notes`. */
export function nameForHosts(name: string): string {
  const cleaned = name
    .replace(REFUSED, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return cleaned || 'server';
}
