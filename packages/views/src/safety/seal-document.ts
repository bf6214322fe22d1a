import { createHash } from 'node:crypto';

export interface SealOptions {
  /** Origins from which the document loads scripts. Default: none. */
  readonly scriptOrigins?: readonly string[];
}

/** An inline script: its attributes, and its text. The HTML standard ends a script at the first of its end tags. */
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;

/**
 * Adds a policy to a document that lets only its own scripts run: each by its hash, and those of the origins that it names.
 * Hosts allow every inline script, because they cannot know which ones belong to a page. With this policy, markup that came
 * in with data runs nothing in any host, even if the page makes the mistake to insert it.
 */
export function sealDocument(html: string, { scriptOrigins = [] }: SealOptions = {}): string {
  const hashes = [...html.matchAll(SCRIPT)]
    .filter(([, attributes = '']) => !/\ssrc\s*=/i.test(attributes))
    .map(([, , text = '']) => `'${hashOf(text)}'`);
  const sources = [...new Set([...hashes, ...scriptOrigins])].join(' ') || "'none'";
  const policy = `script-src ${sources}; object-src 'none'; base-uri 'none'`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const head = /<head\b[^>]*>/i.exec(html);
  const at = head ? head.index + head[0].length : endOfDoctype(html);
  return html.slice(0, at) + meta + html.slice(at);
}

/** The parser of HTML makes one line feed of each kind of line end before the hash is compared. */
function hashOf(script: string): string {
  const text = script.replace(/\r\n?/g, '\n');
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function endOfDoctype(html: string): number {
  return /^\s*<!doctype[^>]*>/i.exec(html)?.[0].length ?? 0;
}
