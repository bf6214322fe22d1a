import { createHmac, randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Duplex, Readable, Writable } from 'node:stream';
import { CommandError, exitCodes } from '@toolwright/operate/terminal';
import { isSameSecret } from '@toolwright/json';
import { type RunFile, readRunFile } from './run-file.js';

/** How long `dev` may take to accept the connection, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Connects an agent on standard input and output with the `dev` that works on a project.
 *
 * @param project absolute path of the tsconfig
 * @returns the exit code, when either side has ended
 * @throws {CommandError} when no `dev` works on the project, or the program on its port is another one
 */
export async function runBridge(
  project: string,
  { input, output }: { input: Readable; output: Writable } = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const run = readRunFile(project);
  const socket = await connectTo(run, project);
  let hasEnded = false;
  input.once('end', () => (hasEnded = true));
  input.pipe(socket).pipe(output, { end: false });
  await new Promise<void>((resolve) => {
    socket.once('close', resolve).on('error', () => undefined);
    output.once('error', () => socket.destroy());
  });
  input.destroy();
  if (hasEnded) return exitCodes.ok;
  throw new CommandError('"toolwright dev" has ended. Start it again, and then connect again.');
}

function connectTo({ port, token }: RunFile, project: string): Promise<Duplex> {
  const handshake = new BridgeHandshake(token);
  const gone = () =>
    new CommandError(
      `The "toolwright dev" that worked on ${project} has ended without cleaning up. Start it again: npx --no toolwright dev`,
    );
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      agent: false,
      timeout: PATIENCE_MS,
      headers: { connection: 'Upgrade', upgrade: AGENT_PROTOCOL, ...handshake.headers },
    });
    sent.once('upgrade', ({ headers }: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!handshake.isGenuine(headers)) {
        socket.destroy();
        return reject(gone());
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    sent.once('response', ({ statusCode }: IncomingMessage) => {
      sent.destroy();
      const isFull = statusCode === 503;
      reject(isFull ? new CommandError('Too many agents are connected to "toolwright dev".') : gone());
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => reject(gone()));
    sent.end();
  });
}

/** The name of the protocol that the bridge asks for. After the handshake, both sides send JSON-RPC in lines. */
export const AGENT_PROTOCOL = 'toolwright-dev';

/** The header in which `dev` shows that it knows the token, too. */
const PROOF = 'toolwright-proof';

const NONCE = /^[\w-]{32}$/;

/**
 * Both sides show that they know the token of the run, and neither sends it. So a program that took the port of a `dev`
 * that has died learns nothing, and cannot pretend to be that `dev`.
 */
class BridgeHandshake {
  private readonly nonce = randomBytes(24).toString('base64url');

  constructor(private readonly token: string) {}

  get headers(): Record<string, string> {
    const { nonce, token } = this;
    return { authorization: `Toolwright ${nonce} ${proofOf(token, 'bridge', nonce)}` };
  }

  /** Whether the answer came from the `dev` that wrote the token. */
  isGenuine(headers: IncomingHttpHeaders): boolean {
    return isSameSecret(String(headers[PROOF]), proofOf(this.token, 'dev', this.nonce));
  }
}

/**
 * The proof for a bridge that knows the token.
 *
 * @returns the headers of the answer; undefined for strangers
 */
export function answerBridge(
  headers: IncomingHttpHeaders,
  token: string,
): Record<string, string> | undefined {
  const [scheme, nonce = '', proof = ''] = (headers.authorization ?? '').split(' ');
  const isKnown =
    scheme === 'Toolwright' && NONCE.test(nonce) && isSameSecret(proof, proofOf(token, 'bridge', nonce));
  return isKnown ? { [PROOF]: proofOf(token, 'dev', nonce) } : undefined;
}

function proofOf(token: string, side: 'bridge' | 'dev', nonce: string): string {
  return createHmac('sha256', token).update(`${AGENT_PROTOCOL} ${side} ${nonce}`).digest('base64url');
}
