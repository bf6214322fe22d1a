import { isLogo, isLoopbackHost, lazily, PageShell } from '@toolwright/json';
import { ConfigurationError } from '@toolwright/core';
import type { ServerInfo, Protocol } from '@toolwright/core/transport';
import type { Challenge } from '../authentication.js';
import type { Exchange } from '../exchange.js';
import type { EndpointSettings } from '../options.js';
import { type SignInWay, landingPage } from './landing-page.js';

type LandingSettings = Pick<EndpointSettings, 'landing' | 'publicUrl' | 'resourceMetadata'>;

const HEADERS = {
  // The page depends on the caller and on the host name.
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Shows people what the endpoint is, and how to connect to it. */
class Landing {
  readonly #info: ServerInfo;
  readonly #icon: string | undefined;
  /** Made for the first person who comes, so that a start pays nothing for it. */
  readonly #frame = lazily(() => frameOf(this.#info, this.#icon));

  constructor(
    { info }: Protocol,
    private readonly settings: LandingSettings,
  ) {
    this.#info = info;
    this.#icon = iconOf(info);
  }

  /**
   * Answers a person who opens the endpoint in a browser.
   *
   * @param challenge what clients of the protocol are answered with, if the caller was not let in
   * @returns false if nothing was answered: it is a client of the protocol
   */
  show(exchange: Exchange, challenge?: Challenge): boolean {
    const status = challenge?.status ?? 200;
    // Any other challenge is a failure of the moment, or of the token; the page would not help.
    if ((status !== 200 && status !== 401) || !wantsPage(exchange)) return false;
    const { publicUrl, resourceMetadata } = this.settings;
    const page = landingPage({
      info: this.#info,
      url: publicUrlOf(exchange, publicUrl),
      signIn: challenge && (resourceMetadata ? 'oauth' : signInOf(challenge)),
      icon: this.#icon,
    });
    exchange.addHeader('Vary', 'Accept');
    const { shell, policy } = this.#frame();
    const headers = { ...HEADERS, 'Content-Security-Policy': policy, ...challenge?.headers };
    for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
    exchange.sendPage(status, shell.write(page));
    return true;
  }
}

function frameOf({ brand }: ServerInfo, icon: string | undefined): { shell: PageShell; policy: string } {
  const shell = new PageShell(brand);
  const ofIcon = icon?.startsWith('https:') ? new URL(icon).origin : undefined;
  const images = new Set(['data:', ofIcon, shell.imageSource].filter((source) => source !== undefined));
  const policy = [
    "default-src 'none'",
    `style-src ${shell.styleSource}`,
    `img-src ${[...images].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { shell, policy };
}

/**
 * The landing page of an endpoint; `undefined` if it has none.
 *
 * @throws {ConfigurationError} when the options ask for the page and strict security refuses it
 */
export function openLanding(protocol: Protocol, settings: LandingSettings): Landing | undefined {
  const { landing } = settings;
  if (protocol.refusesLanding && landing === true)
    throw new ConfigurationError({
      code: 'TW_SECURITY_STRICT',
      message: "security: 'strict' does not allow this: the endpoint shows a page to people (landing: true).",
      fix: "Remove the option. Or relax this part: security: { mode: 'strict', relax: ['landing'] }.",
    });
  return (landing ?? !protocol.refusesLanding) ? new Landing(protocol, settings) : undefined;
}

/** Names of headers come in any case. */
function signInOf({ headers }: Challenge): SignInWay {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'www-authenticate');
  return /^bearer\b/i.test(found?.[1] ?? '') ? 'bearer' : 'other';
}

/** The first icon that needs neither another scheme nor a dark page. */
function iconOf({ icons = [] }: ServerInfo): string | undefined {
  const usable = icons.filter(({ src }) => isLogo(src));
  return (usable.find(({ theme }) => theme !== 'dark') ?? usable[0])?.src;
}

/**
 * The URL under which the caller reached the endpoint. Its Host was compared with `allowedHosts` before. A proxy in
 * front often ends TLS, and a caller could write any `X-Forwarded-Proto`, so a name that is not local is shown with
 * https: a person must not be led to send a token in the clear.
 */
function publicUrlOf(exchange: Exchange, configured: string | undefined): string {
  if (configured !== undefined) return new URL(configured).href;
  const host = exchange.header('host')!;
  const scheme = exchange.isEncrypted || !isLoopbackHost(host) ? 'https' : 'http';
  const [path = '/'] = exchange.target.split(/[?#]/, 1);
  const url = new URL(`${scheme}://${host}`);
  // Setting the path never changes the host, whatever the path contains.
  url.pathname = path;
  return url.href;
}

/** Only clients of the protocol send these. */
const PROTOCOL_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id'];

/**
 * True for a person who opens the endpoint in a browser: a GET that names `text/html`, and not the stream of events
 * that the protocol has behind the same method.
 */
function wantsPage(exchange: Exchange): boolean {
  if (exchange.method !== 'GET') return false;
  const types = mediaTypes(exchange.header('accept'));
  if (!types.includes('text/html') || types.includes('text/event-stream')) return false;
  return PROTOCOL_HEADERS.every((name) => exchange.header(name) === undefined);
}

/** The media types of an Accept header, without the types that the client refuses (`q=0`). */
function mediaTypes(accept = ''): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
    .map(([type]) => type!);
}
