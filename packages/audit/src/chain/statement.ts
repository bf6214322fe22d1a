import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** The state of a writer's chain after a batch. */
export interface ChainState {
  /** The id of the writer. All segments of its chain have the same one. */
  readonly writer: string;
  /** The number of the file that contains the batch, from 1. */
  readonly segment: number;
  /** The number of the batch, counted from 1 through all segments; 0 before the first one. */
  readonly batch: number;
  /** The `seq` of the last record. */
  readonly seq: number;
  /** The hash of the batch in hex; 64 zeros before the first one. */
  readonly hash: string;
  /** Where the batch ends, in bytes from the start of its segment. */
  readonly offset: number;
}

/** A state of the chain, signed by its writer. */
export interface SignedStatement extends ChainState {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** True when the writer ended in order. Nothing may follow. */
  readonly closed: boolean;
  /** The public key that the signature belongs to; see {@link keyId}. */
  readonly keyId: string;
  /** The Ed25519 signature in base64. */
  readonly signature: string;
}

export interface Signer {
  readonly keyId: string;
  sign(state: ChainState, moment: { time: number; closed: boolean }): Promise<SignedStatement>;
}

/** The hash of a chain that has no batch yet. */
export const GENESIS_HASH = '0'.repeat(64);

const signAsync = promisify(
  (data: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void): void =>
    // With a callback, this runs in the thread pool. It takes 27-100 µs, and no request waits for it.
    sign(null, data, key, done),
);

export function createSigner(privateKey: KeyObject, publicKey: KeyObject): Signer {
  const id = keyId(publicKey);
  return {
    keyId: id,
    async sign({ writer, segment, batch, seq, hash, offset }, { time, closed }) {
      const unsigned = { writer, segment, batch, seq, hash, offset, time, closed, keyId: id };
      const signature = await signAsync(messageOf(unsigned), privateKey);
      return { ...unsigned, signature: signature.toString('base64') };
    },
  };
}

/** True if one of the keys signed exactly this statement. */
export function isSignedBy(keys: ReadonlyMap<string, KeyObject>, statement: SignedStatement): boolean {
  const key = keys.get(statement.keyId);
  if (!key || typeof statement.signature !== 'string') return false;
  const signature = Buffer.from(statement.signature, 'base64');
  // Base64 can write the same bytes in several ways. Only our way counts, so that every change of a signature
  // is found.
  if (signature.toString('base64') !== statement.signature) return false;
  return verify(null, messageOf(statement), key, signature);
}

/** The first 16 hex digits of the SHA-256 of the public key's SPKI form. */
export function keyId(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex').slice(0, 16);
}

/**
 * The prefix makes these signatures meaningless anywhere else, in case the key is used for something else,
 * too.
 */
function messageOf(statement: Omit<SignedStatement, 'signature'>): Buffer {
  const { writer, segment, batch, seq, hash, offset, time, closed, keyId: id } = statement;
  return Buffer.from(
    JSON.stringify(['toolwright-audit-1', writer, segment, batch, seq, hash, offset, time, closed, id]),
  );
}
