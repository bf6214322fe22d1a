import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { reasonOf } from '@toolwright/json';
import { createSigner, keyId, type Signer } from '../chain/statement.js';
import { AuditError } from '../errors/audit-error.js';
import { HmacKey } from '../hmac-key.js';
import type { LogPaths } from './log-paths.js';
import { readPart } from './part-files.js';

/** The keys of a log, ready to use. */
export interface LogKeys {
  hmac: HmacKey;
  signer: Signer;
  signingKey: 'given' | 'beside the log';
}

export interface KeyOptions {
  key?: string | Uint8Array;
  signingKey?: string | KeyObject;
}

interface StoredKeys {
  hmac: string;
  signing: string;
}

/**
 * Returns the given keys, or the keys beside the log. They are created at the first use, and only their owner can
 * read them.
 */
export async function openKeys(paths: LogPaths, { key, signingKey }: KeyOptions): Promise<LogKeys> {
  const stored = key && signingKey ? undefined : await readOrCreateKeys(paths.keys);
  const privateKey = parseSigningKey(signingKey ?? stored!.signing);
  const publicKey = createPublicKey(privateKey);
  await publishKey(paths.publicKeys, publicKey);
  return {
    hmac: new HmacKey(key ? requireLength(key) : Buffer.from(stored!.hmac, 'base64')),
    signer: createSigner(privateKey, publicKey),
    signingKey: signingKey ? 'given' : 'beside the log',
  };
}

/** The public keys in a PEM text, which may contain several, by key id. */
export function parsePublicKeys(pem: string): Map<string, KeyObject> {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return new Map(blocks.map((block) => createPublicKey(block)).map((key) => [keyId(key), key]));
}

/** The keys beside a log. None if there is no file with them. */
export async function readPublicKeys({ publicKeys }: LogPaths): Promise<Map<string, KeyObject>> {
  return parsePublicKeys(String((await readPart(publicKeys).catch(() => undefined)) ?? ''));
}

function requireLength(key: string | Uint8Array): string | Uint8Array {
  if (key.length >= 16) return key;
  throw new AuditError(
    'TW_AUDIT_OPTIONS',
    'audit.key is shorter than 16 bytes; short keys are guessed. Use 32 random bytes.',
  );
}

function parseSigningKey(signingKey: string | KeyObject): KeyObject {
  try {
    const key = typeof signingKey === 'string' ? createPrivateKey(signingKey) : signingKey;
    if (key.type === 'private' && key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new AuditError('TW_AUDIT_OPTIONS', `audit.signingKey cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  throw new AuditError(
    'TW_AUDIT_OPTIONS',
    'audit.signingKey must be an Ed25519 private key (PKCS#8 PEM or KeyObject).',
  );
}

async function readOrCreateKeys(path: string): Promise<StoredKeys> {
  const existing = await readOrNothing(path);
  if (existing) return JSON.parse(existing) as StoredKeys;
  const { privateKey } = generateKeyPairSync('ed25519');
  const keys: StoredKeys = {
    hmac: randomBytes(32).toString('base64'),
    signing: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
  // Two processes that start together must use the same keys. link() succeeds for exactly one of them.
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, JSON.stringify(keys, null, 2), { mode: 0o600, flush: true });
  try {
    await link(draft, path);
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return JSON.parse(await readFile(path, 'utf8')) as StoredKeys;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Keeps every key that was ever used, so that the log stays valid after a change of the key. */
async function publishKey(path: string, publicKey: KeyObject): Promise<void> {
  const known = (await readOrNothing(path)) ?? '';
  if (parsePublicKeys(known).has(keyId(publicKey))) return;
  await writeFile(path, publicKey.export({ type: 'spki', format: 'pem' }) as string, {
    flag: 'a',
    flush: true,
  });
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
