import type { McpUiResourceCsp } from '@modelcontextprotocol/ext-apps/app-bridge';

/**
 * The policy that the extension has hosts make of what a page declares. Without its own origin ('self'): in a sandbox
 * there is nothing to be had from there.
 */
export function contentSecurityPolicy({
  resourceDomains = [],
  connectDomains = [],
  frameDomains = [],
  baseUriDomains = [],
}: McpUiResourceCsp = {}): string {
  const list = (...sources: string[]) => sources.join(' ') || "'none'";
  const directives = {
    'default-src': "'none'",
    'script-src': list("'unsafe-inline'", ...resourceDomains),
    'style-src': list("'unsafe-inline'", ...resourceDomains),
    'img-src': list('data:', ...resourceDomains),
    'media-src': list('data:', ...resourceDomains),
    'font-src': list(...resourceDomains),
    'connect-src': list(...connectDomains),
    'frame-src': list(...frameDomains),
    'base-uri': list(...baseUriDomains),
    'object-src': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
