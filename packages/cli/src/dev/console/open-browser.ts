import { spawn } from 'node:child_process';

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
 * Opens an address in the browser of the person, without a shell and without the streams of `dev`, which may carry a
 * protocol.
 *
 * @throws {Error} when no browser can be started
 */
export function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [program, ...args] = programFor(process.platform, env);
  return new Promise((done, failed) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, shell: false });
    child.once('error', failed);
    child.once('spawn', () => {
      child.unref();
      done();
    });
  });
}
