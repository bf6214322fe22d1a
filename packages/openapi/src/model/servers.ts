import type { ServerObject } from '../read/openapi-document.js';

/** The first address, with the defaults of its variables. A relative one needs `--base-url`. */
export function baseUrlOf(servers: readonly ServerObject[] | undefined): string | undefined {
  const url = addressOf(servers?.[0]);
  return url !== undefined && /^https?:\/\/[^{}]+$/.test(url) ? url : undefined;
}

/**
 * The address of an operation that is not below the first server of the document: a whole one, or a path on the same host.
 * A request to another server than this one would take its credentials to a wrong place.
 */
export function ownBaseUrl(
  own: readonly ServerObject[] | undefined,
  ofDocument: readonly ServerObject[] | undefined,
): string | undefined {
  const [all, first] = [(own ?? []).map(addressOf), addressOf(ofDocument?.[0])];
  const [url] = all;
  if (url === undefined || all.includes(first) || /[{}]/.test(url)) return undefined;
  return /^https?:\/\/./.test(url) || /^\/(?!\/)/.test(url) ? url : undefined;
}

/** Without the slash at its end: the paths begin with one. */
function addressOf(server: ServerObject | undefined): string | undefined {
  const url = server?.url?.replace(
    /\{([^}]+)\}/g,
    (whole, name: string) => server.variables?.[name]?.default ?? whole,
  );
  return url?.replace(/(?<=.)\/+$/, '');
}
