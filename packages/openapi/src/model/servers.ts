import { readUrl } from '@toolwright/json';
import type { ServerObject } from '../read/openapi-document.js';

/** The addresses of a document, with the defaults of their variables. Relative ones are of the place of the document. */
export const addressesOf = (servers: readonly ServerObject[] | undefined): string[] =>
  (servers ?? []).flatMap((each) => addressOf(each) ?? []).filter(isWhole);

/** The first address. A relative one needs `--base-url`. */
export function baseUrlOf(servers: readonly ServerObject[] | undefined): string | undefined {
  const url = addressOf(servers?.[0]);
  return url !== undefined && isWhole(url) ? url : undefined;
}

const isWhole = (url: string) => !/[{}]/.test(url) && /^https?:$/.test(readUrl(url)?.protocol ?? '');

/** Where an operation is that is not below the first server of the document. */
export interface OwnAddress {
  /** A whole address, or a path on the same host. */
  readonly url?: string;
  /** The address that the specification says, where no request can be sent to it. */
  readonly unusable?: string;
}

/** A request to the first server of the document would take its credentials to a wrong place. */
export function ownAddress(
  own: readonly ServerObject[] | undefined,
  ofDocument: readonly ServerObject[] | undefined,
): OwnAddress {
  const [all, first] = [(own ?? []).map(addressOf), addressOf(ofDocument?.[0])];
  const [url] = all;
  if (!url || all.includes(first)) return {};
  return isWhole(url) || /^\/(?!\/)[^{}]*$/.test(url) ? { url } : { unusable: url };
}

/** Without the slash at its end: the paths begin with one. */
function addressOf(server: ServerObject | undefined): string | undefined {
  const url = server?.url?.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => server.variables?.[name]?.default ?? whole,
  );
  return url === undefined || url === '/' ? url : withoutSlashes(url);
}

/** A pattern for the slashes at the end would begin anew at each slash before it. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (end > 1 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
