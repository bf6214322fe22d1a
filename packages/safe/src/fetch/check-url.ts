import { optionRules, type OptionSchema } from '@toolwright/core/options';
import { readUrl } from '@toolwright/json';
import { quote, refusal } from '../errors/refusal.js';

/** Which URLs may be fetched. */
export interface UrlRules {
  /**
   * The allowed host names: `example.com`, or `*.example.com` for all names below it. Default: every name.
   */
  allowedHosts?: readonly string[];
  /** The allowed ports. Default: 80 and 443. */
  allowedPorts?: readonly number[];
}

const { count, listOf, text } = optionRules;

export const urlRules = {
  allowedHosts: listOf('a list of host names', text),
  allowedPorts: listOf('a list of ports', count),
} satisfies OptionSchema<UrlRules>;

/**
 * Reads a URL as browsers do. This turns decimal, octal, hexadecimal, short and full-width forms of an IPv4
 * address into the plain form.
 *
 * @throws ToolError `TW_SAFE_URL`
 */
export function checkUrl(text: string, base: URL | undefined, rules: UrlRules): URL {
  const url = readUrl(text, base);
  if (!url)
    throw refusal('TW_SAFE_URL', `${quote(text)} is not a URL. Give one such as "https://example.com/page".`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusal('TW_SAFE_URL', `${quote(text)} is neither an http nor an https URL.`);
  }
  if (url.username || url.password)
    throw refusal('TW_SAFE_URL', 'The URL contains a user name or password; leave it out.');
  const { allowedPorts = [80, 443], allowedHosts } = rules;
  if (!allowedPorts.includes(portOf(url))) {
    throw refusal('TW_SAFE_URL', `Port ${portOf(url)} is not allowed. Allowed: ${allowedPorts.join(', ')}.`);
  }
  if (allowedHosts && !allowedHosts.some((pattern) => matchesHost(hostOf(url), pattern))) {
    throw refusal(
      'TW_SAFE_URL',
      `The host ${quote(url.hostname)} is not allowed. Allowed: ${allowedHosts.join(', ')}.`,
    );
  }
  return url;
}

/** The host, without the brackets of IPv6 and without the dot at the end of an absolute name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): number {
  return port ? Number(port) : protocol === 'https:' ? 443 : 80;
}

function matchesHost(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  return wanted.startsWith('*.')
    ? host.endsWith(wanted.slice(1)) && host.length >= wanted.length
    : host === wanted;
}
