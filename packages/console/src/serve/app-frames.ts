import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCspSource, keepNewest } from '@toolwright/json';
import { type AppFrame, type AppFramePolicy, ConsoleRefusal } from '../api/console-api.js';
import { LoopbackServer } from './loopback-server.js';

/** The frames that a person may have open; the oldest is forgotten. */
const MAX_FRAMES = 32;

interface Shown {
  readonly html: string;
  readonly policy: string;
  readonly connections: string;
}

/**
 * Shows pages of MCP Apps, which strangers may have written, on an origin of their own: a second port. Each has an
 * address that nobody can guess, may be shown by the console only, and gets no cookie.
 */
export class AppFrames {
  readonly #shown = new Map<string, Shown>();
  readonly #server = new LoopbackServer((req, res) => this.#take(req, res));

  /** @param console the origin of the console */
  constructor(private readonly console: () => string) {}

  get origin(): string {
    return this.#server.origin;
  }

  listen(): Promise<void> {
    return this.#server.listen(0);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** @throws {ConsoleRefusal} when the page is not HTML, or declares sources that are not origins */
  show({ html, csp }: Readonly<Record<string, unknown>>): AppFrame {
    if (typeof html !== 'string') throw new ConsoleRefusal('The page of an app is sent as "html".');
    const declared = (csp ?? {}) as AppFramePolicy;
    const policy = appFramePolicy(declared, this.console());
    const connections = appFrameConnections(declared);
    const id = randomBytes(18).toString('base64url');
    keepNewest(this.#shown, id, { html, policy, connections }, MAX_FRAMES);
    return { url: `${this.origin}/${id}` };
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    const { host, 'sec-fetch-dest': destination } = req.headers;
    const shown = this.#shown.get((req.url ?? '').slice(1));
    const isFrame = destination === undefined || destination === 'iframe';
    if (`http://${host}` !== this.origin || req.method !== 'GET' || !isFrame || !shown) {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
      return;
    }
    res
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': shown.policy,
        'connection-allowlist': shown.connections,
        'x-dns-prefetch-control': 'off',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .end(shown.html);
  }
}

/**
 * The content security policy of a page of an MCP App: what it declares, and nothing else. It is sandboxed by the
 * policy, too, so that it has no origin even if somebody opens it outside of a frame.
 *
 * @param console the only origin that may show it
 * @throws {ConsoleRefusal} for a declared source that is not an origin
 */
function appFramePolicy(declared: AppFramePolicy, console: string): string {
  const resources = sourcesOf(declared, 'resourceDomains');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: blob: ${resources}`,
    `media-src data: blob: ${resources}`,
    `font-src data: ${resources}`,
    `connect-src ${sourcesOf(declared, 'connectDomains') || "'none'"}`,
    `frame-src ${sourcesOf(declared, 'frameDomains') || "'none'"}`,
    `base-uri ${sourcesOf(declared, 'baseUriDomains') || "'none'"}`,
    "object-src 'none'",
    "form-action 'none'",
    `frame-ancestors ${console}`,
    'sandbox allow-scripts',
  ]
    .map((directive) => directive.trim())
    .join('; ');
}

/**
 * The connections that the browser opens at all for the page, in the form of the header `Connection-Allowlist`. A content
 * security policy does not reach WebRTC (STUN and TURN), preconnect and lookups of names. Browsers that do not know the
 * header leave those open.
 *
 * @throws {ConsoleRefusal} for a declared source that is not an origin
 */
function appFrameConnections(declared: AppFramePolicy): string {
  const members = ['resourceDomains', 'connectDomains', 'frameDomains', 'baseUriDomains'] as const;
  const sources = members.flatMap((member) => sourcesOf(declared, member).split(' ').filter(Boolean));
  const patterns = sources.flatMap((source) => {
    const [, scheme = '', rest = ''] = /^(\w+):\/\/(.*)$/.exec(source)!;
    const [authority = '', ...path] = rest.split('/');
    return covered[scheme.toLowerCase()]!.map((each) => `${each}://${authority}/${path.join('/')}*`);
  });
  return `(${[...new Set(patterns)].map((pattern) => `"${pattern}"`).join(' ')})`;
}

/** The schemes that a source of a content security policy allows, besides its own. */
const covered: Readonly<Record<string, readonly string[]>> = {
  https: ['https'],
  http: ['http', 'https'],
  wss: ['wss', 'https'],
  ws: ['ws', 'wss', 'http', 'https'],
};

function sourcesOf(declared: AppFramePolicy, member: keyof AppFramePolicy): string {
  const sources: unknown = declared[member] ?? [];
  if (!Array.isArray(sources))
    throw new ConsoleRefusal(`The member "${member}" of the page's policy is no list.`);
  for (const source of sources as unknown[])
    if (!isCspSource(source))
      throw new ConsoleRefusal(
        `The page declares ${JSON.stringify(source)} in "${member}", which is no origin.`,
      );
  return sources.join(' ');
}
