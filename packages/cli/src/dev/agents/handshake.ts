import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The name of the protocol that the bridge asks for. After the handshake, both sides send JSON-RPC in lines. */
export const AGENT_PROTOCOL = 'toolwright-dev';

/** The header in which `dev` shows that it knows the token, too. */
const PROOF = 'toolwright-proof';

const NONCE = /^[\w-]{32}$/;

/**
 * Both sides show that they know the token of the run, and neither sends it. So a program that took the port of a `dev`
 * that has died learns nothing, and cannot pretend to be that `dev`.
 */
export class BridgeHandshake {
  private readonly nonce = randomBytes(24).toString('base64url');

  constructor(private readonly token: string) {}

  get headers(): Record<string, string> {
    const { nonce, token } = this;
    return { authorization: `Toolwright ${nonce} ${proofOf(token, 'bridge', nonce)}` };
  }

  /** Whether the answer came from the `dev` that wrote the token. */
  isGenuine(headers: IncomingHttpHeaders): boolean {
    return isSame(String(headers[PROOF]), proofOf(this.token, 'dev', this.nonce));
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
    scheme === 'Toolwright' && NONCE.test(nonce) && isSame(proof, proofOf(token, 'bridge', nonce));
  return isKnown ? { [PROOF]: proofOf(token, 'dev', nonce) } : undefined;
}

function proofOf(token: string, side: 'bridge' | 'dev', nonce: string): string {
  return createHmac('sha256', token).update(`${AGENT_PROTOCOL} ${side} ${nonce}`).digest('base64url');
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
