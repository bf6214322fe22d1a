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
