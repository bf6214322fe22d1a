import { ConsoleFault } from '../api/console-api.js';
import type { AppFramePolicy } from '../api/app-frame-api.js';

/** An origin, with a wildcard for subdomains or the port, and perhaps a path. Nothing that could end a directive. */
const SOURCE = /^(https?|wss?):\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?(\/[\w./~%-]*)?$/i;

/**
 * The content security policy of a page of an MCP App: what it declares, and nothing else. It is sandboxed by the
 * policy, too, so that it has no origin even if somebody opens it outside of a frame.
 *
 * @param console the only origin that may show it
 * @throws {ConsoleFault} for a declared source that is no origin
 */
export function appFramePolicy(declared: AppFramePolicy, console: string): string {
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
 * @throws {ConsoleFault} for a declared source that is no origin
 */
export function appFrameConnections(declared: AppFramePolicy): string {
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
    throw new ConsoleFault(`The member "${member}" of the page's policy is no list.`);
  for (const source of sources as unknown[])
    if (typeof source !== 'string' || !SOURCE.test(source))
      throw new ConsoleFault(
        `The page declares ${JSON.stringify(source)} in "${member}", which is no origin.`,
      );
  return sources.join(' ');
}
