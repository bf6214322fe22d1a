import { defaultLimits } from './limits.js';
import { addHeader, parseUrl, type RemoteFlags, taken } from './remote-options.js';

/** The options with which the command of a package names a server, as the package reads them. */
export interface NamedTarget {
  readonly url?: string;
  readonly app?: string;
  readonly stdio?: string;
  readonly server?: string;
  readonly config?: string;
  readonly header?: readonly string[];
  readonly as?: string;
}

/**
 * Reads them as the commands of this package do.
 *
 * @throws {CommandError} for a URL or a header that cannot be read
 */
export function namedTarget({
  url = 'http://127.0.0.1:3000/mcp',
  header = [],
  app,
  stdio,
  server,
  config,
  as,
}: NamedTarget): RemoteFlags {
  return {
    ...defaultLimits,
    url: taken('url', () => parseUrl(url)),
    header: taken('header', () => header.reduce((all, each) => addHeader(each, all), {})),
    ...(app !== undefined && { app }),
    ...(stdio !== undefined && { stdio }),
    ...(server !== undefined && { server }),
    ...(config !== undefined && { config }),
    ...(as !== undefined && { as }),
  };
}
