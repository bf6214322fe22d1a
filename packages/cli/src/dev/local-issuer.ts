import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError, type Terminal, styleFor } from '@toolwright/operate/terminal';
import { freePort } from './free-port.js';

/** The file that asks `dev` for a local issuer. It lists who may sign in. */
const USERS_FILE = 'test-users.json';

/** The endpoint of apps that were made by `create-toolwright`, whose port is `PORT`. */
const DEFAULT_PORT = '3000';

/** The parts of `@toolwright/identity/dev` that are used here. It is the project's own copy. */
interface IdentityModule {
  readTestUsers(path: string): LocalIssuer['users'];
  startDevIssuer(options: { users: LocalIssuer['users'] }): Promise<{
    readonly issuer: string;
    close(): Promise<void>;
  }>;
}

/** The issuer of a run of `dev`. It outlives the app, so that clients stay signed in when you edit. */
export interface LocalIssuer {
  readonly issuer: string;
  readonly users: readonly { subject: string; name?: string; scopes: readonly string[] }[];
  /** What the app finds in its environment. */
  readonly environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * Starts an authorization server with test users, if the project has the file `test-users.json`, and nothing names
 * another issuer. The app finds it in `MCP_ISSUER`, and what tokens are for in `MCP_RESOURCE`.
 *
 * @throws {CommandError} if the file is wrong, the package is missing, or this is production
 */
export async function openLocalIssuer(
  directory: string,
  terminal: Terminal,
): Promise<LocalIssuer | undefined> {
  const path = join(directory, USERS_FILE);
  const { MCP_ISSUER, MCP_RESOURCE, PORT = DEFAULT_PORT } = terminal.env;
  if (MCP_ISSUER || !existsSync(path)) return undefined;
  const { readTestUsers, startDevIssuer } = loadIdentity(directory);
  try {
    const users = readTestUsers(path);
    const { issuer, close } = await startDevIssuer({ users });
    const names = users.map(({ subject }) => subject).join(', ');
    terminal.err(`issuer: ${issuer} ${styleFor(terminal).dim(`(sign in as ${names})`)}`);
    // Tokens name the endpoint, so its port must be known before the app listens.
    const port = PORT === '0' ? await freePort() : PORT;
    const resource = MCP_RESOURCE || `http://127.0.0.1:${port}/mcp`;
    return { issuer, users, close, environment: { PORT: port, MCP_ISSUER: issuer, MCP_RESOURCE: resource } };
  } catch (error) {
    // It comes from the project's own copy, so its class is another one.
    if (typeof (error as { code?: unknown }).code !== 'string') throw error;
    throw new CommandError((error as Error).message);
  }
}

function loadIdentity(directory: string): IdentityModule {
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve('@toolwright/identity/dev');
  } catch {
    throw new CommandError(
      `The project has ${USERS_FILE}, and its issuer is in a package that is not installed: npm install --save-dev @toolwright/identity. To use another issuer, set MCP_ISSUER.`,
    );
  }
  return resolve(path) as IdentityModule;
}
