import { setUpHost } from '@toolwright/hosts';
import { type Terminal, styleFor } from '@toolwright/operate/terminal';

/**
 * Prints the URL of the app, and how to connect hosts to it.
 *
 * @param user a test user of the project, if it has any
 * @returns the URL of the MCP endpoint, if it was found
 */
export async function greet(
  url: string,
  { name, user }: { name: string; user: string | undefined },
  terminal: Terminal,
): Promise<string | undefined> {
  const { bold, dim } = styleFor(terminal);
  const { endpoint, asksWho } = await findEndpoint(url);
  if (endpoint === undefined) {
    terminal.err(`\n  ${bold(name)} answers on ${bold(url)}\n`);
    return undefined;
  }
  const server = { name, url: endpoint };
  const rows = [
    ['Claude Code', setUpHost('claude-code', server).command],
    ['VS Code', setUpHost('vscode', server).command],
    ['Others', `npx --no toolwright install --url ${endpoint}`],
    ['Inspector', `npx @modelcontextprotocol/inspector@2.12.0 --transport http --server-url ${endpoint}`],
    ['Terminal', `npx --no toolwright list --url ${endpoint}${asksWho ? signIn(user) : ''}`],
  ];
  terminal.err(`\n  ${bold(name)} serves MCP on ${bold(endpoint)}\n`);
  for (const [host, command] of rows) terminal.err(`  ${host!.padEnd(12)} ${dim(command!)}`);
  if (asksWho && user === undefined)
    terminal.err(
      `\n  It asks who calls. Make an API key in the console, under Keys, or with "npx --no toolwright keys create". With OAuth: npx --no toolwright login ${endpoint}`,
    );
  terminal.err('\n  Edit and save a file, and the app changes. Ctrl+C stops it.\n');
  return endpoint;
}

/** What follows an address in a command of somebody who signs in. */
const signIn = (user: string | undefined) =>
  user === undefined ? ' --header "Authorization: Bearer <key>"' : ` --as ${user}`;

/** Most apps serve /mcp. If that path answers with anything but 404, it is the endpoint. */
async function findEndpoint(url: string): Promise<{ endpoint?: string; asksWho?: boolean }> {
  for (const path of ['/mcp', '/']) {
    try {
      const { status, body } = await fetch(url + path, {
        method: 'HEAD',
        signal: AbortSignal.timeout(2_000),
      });
      await body?.cancel();
      if (status !== 404 && status < 500) return { endpoint: url + path, asksWho: status === 401 };
    } catch {
      // It does not answer such requests.
    }
  }
  return {};
}
