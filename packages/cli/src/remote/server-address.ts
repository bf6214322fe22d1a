import { hasCredentials } from '@toolwright/json';
import { usageError } from '@toolwright/operate/terminal';

/**
 * The address of a server that is asked. `fetch` takes none with a user name or a password.
 *
 * @throws {CommandError} if it has either. The message does not repeat the address, because terminals are recorded
 */
export function withoutPassword(url: URL): URL {
  if (!hasCredentials(url)) return url;
  throw usageError(
    `The address of the server at ${url.host} has a user name or a password. ` +
      'Write it without them, and pass them as a header: --header "Authorization: Basic <base64 of user:password>".',
  );
}
