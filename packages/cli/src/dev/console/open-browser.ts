import { startDetached } from './open-source.js';

/** The program that opens an address in the browser of the person, and its first arguments. */
function programFor(
  platform: NodeJS.Platform,
  { BROWSER }: NodeJS.ProcessEnv,
): readonly [string, ...string[]] {
  if (BROWSER) return [BROWSER];
  if (platform === 'darwin') return ['open'];
  // `start` belongs to a shell, which would read the `&` of an address.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}

/**
 * Opens an address in the browser of the person.
 *
 * @throws {Error} when no browser can be started
 */
export function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [program, ...args] = programFor(process.platform, env);
  return startDetached(program, [...args, address]);
}
