import { readUrl } from './read-url.js';

/** What browsers leave in an address behind its host, and RFC 3986 does not take: `|` in a query, a `%` without digits. */
const NOT_IN_URI = /[ "<>\\^`{|}[\]]|%(?![0-9a-fA-F]{2})/g;

/** The text of a URL as RFC 3986 has it, which the format `uri` means. */
export function uriOf({ href, host }: URL): string {
  // The brackets of an address are those of the host.
  const end = host.startsWith('[') ? href.indexOf(']') + 1 : 0;
  const encoded = href.slice(end).replace(NOT_IN_URI, encodeURIComponent);
  const hash = encoded.indexOf('#') + 1;
  const [before, after] = hash === 0 ? [encoded, ''] : [encoded.slice(0, hash), encoded.slice(hash)];
  return href.slice(0, end) + before + after.replaceAll('#', '%23');
}

/**
 * What to change in a text that browsers take for an address and the format `uri` does not: `, with "|" written as "%7C"`. The
 * text itself may be sensitive, so it is not repeated.
 */
export function uriHint(text: string): string {
  if (!readUrl(text)) return '';
  const wrong = [...new Set(text.match(NOT_IN_URI))].filter((each) => !'[]'.includes(each));
  const all = wrong.map((each) => `"${each}" written as "${encodeURIComponent(each)}"`);
  const query = text.search(/[?#]/);
  if (query !== -1 && /[[\]]/.test(text.slice(query))) all.push('"[" and "]" written as "%5B" and "%5D"');
  if (/#.*#/.test(text)) all.push('the second "#" written as "%23"');
  return all.length === 0 ? '' : `, with ${all.join(', ')}`;
}

/** A part of an address without its escapes. Where one of them is broken, the text stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
