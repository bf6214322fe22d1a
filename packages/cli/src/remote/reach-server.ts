import type { ClientOptions, McpClient } from '@toolwright/client';
import { CommandError, exitCodes, type Terminal } from '@toolwright/operate/terminal';
import { interruptible } from './interruptible.js';
import { type LocalApp, startLocalApp } from './local-app.js';
import { openRemote, plainly, withNamedServer } from './open-remote.js';
import type { RemoteFlags } from './remote-options.js';
import { testUserToken, testUsersOf } from './test-user-token.js';

/** A server that is used by several clients, each for another caller. */
export interface ReachedServer {
  /** True for standard input and output, where a server has one user. */
  readonly hasOneUser: boolean;
  /** True if the person signs in: with a header, as a test user, or with the token of `toolwright login`. */
  readonly isSignedIn: boolean;
  /** The test users of its local issuer. */
  testUsers(): Promise<readonly string[]>;
  /**
   * Opens a client; it ends with the command. `client.revision` is the only revision that it speaks.
   *
   * @param as a test user; default: whoever the person is
   */
  connect(client: Partial<ClientOptions>, as?: string): Promise<McpClient>;
}

/**
 * Uses a server as several callers, and ends everything that was started for it. An app is started once.
 *
 * @throws {CommandError} if the server cannot be reached
 */
export async function reachServer<T>(
  flags: RemoteFlags,
  terminal: Terminal,
  use: (server: ReachedServer) => Promise<T>,
): Promise<T> {
  const { app, as, ...target } = await withNamedServer(flags, terminal);
  if (as !== undefined && (app !== undefined || target.stdio !== undefined))
    throw new CommandError('--as is for a server at a URL.', exitCodes.usage);
  return interruptible(async (signal) => {
    const local = app === undefined ? undefined : await startLocalApp(app, terminal, signal);
    const reached = new Reached({ ...target, ...(as !== undefined && { as }) }, { local, terminal, signal });
    try {
      return await use(await reached.prepare());
    } catch (error) {
      throw plainly(error);
    } finally {
      await reached.close();
      await local?.stop();
    }
  });
}

interface Surroundings {
  readonly local: LocalApp | undefined;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

class Reached implements ReachedServer {
  readonly hasOneUser: boolean;
  isSignedIn: boolean;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #open: (() => Promise<void>)[] = [];

  constructor(
    private readonly flags: RemoteFlags,
    private readonly around: Surroundings,
  ) {
    const { local } = around;
    this.#url = local?.url ?? flags.url;
    this.hasOneUser = flags.stdio !== undefined;
    // A program that says nothing may have printed the address of somebody else.
    this.#headers = local && !local.isSure ? {} : { ...flags.header };
    this.isSignedIn = this.#headers['authorization'] !== undefined || flags.as !== undefined;
  }

  async prepare(): Promise<this> {
    if (this.isSignedIn || this.hasOneUser) return this;
    const { tokenFor } = await import('./kept-tokens.js');
    this.isSignedIn = (await tokenFor(this.#url, process.env)) !== undefined;
    return this;
  }

  async testUsers(): Promise<readonly string[]> {
    if (this.hasOneUser) return [];
    try {
      return await testUsersOf(this.#url);
    } catch {
      // It trusts no local issuer.
      return [];
    }
  }

  async connect(client: Partial<ClientOptions>, as = this.flags.as): Promise<McpClient> {
    const { flags, around } = this;
    const headers = as === undefined ? this.#headers : await this.#signedIn(as);
    const target = { url: this.#url, ...(flags.stdio !== undefined && { stdio: flags.stdio }) };
    const speech = { http: { headers }, limits: flags, signal: around.signal, client };
    const { client: opened, close } = await openRemote(target, speech, around.terminal);
    this.#open.push(close);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#open.map((close) => close()));
  }

  async #signedIn(as: string): Promise<Record<string, string>> {
    return { ...this.#headers, authorization: `Bearer ${await testUserToken(this.#url, as)}` };
  }
}
