import { canonicalJson } from '../base/json-values.js';
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
const MIN_SECRET = 32;

interface SealingKey {
  id: Buffer;
  /** An object, because Node 24 takes 12 µs more for a key that is a buffer, each time. */
  key: KeyObject;
}

/**
 * Seals JSON or bytes with AES-256-GCM, so that others can carry them but can neither read nor change them. Layout: key
 * id, iv, tag, ciphertext, in base64url.
 */
export class Seal {
  readonly #keys: readonly SealingKey[];
  #sealed = 0;

  /**
   * @param secrets the first one seals; each of them can open; at least 32 characters each
   * @param purpose seals of different purposes cannot open each other's texts, even with equal secrets
   */
  constructor(
    secrets: readonly string[],
    private readonly purpose: string,
    private readonly options: SealOptions = {},
  ) {
    if (secrets.length === 0 || secrets.some((secret) => secret.length < MIN_SECRET)) {
      throw new TypeError(`A seal needs at least one secret, each of ${MIN_SECRET} characters or more.`);
    }
    this.#keys = secrets.map((secret) => ({
      id: Buffer.from(hkdfSync('sha256', secret, '', `toolwright ${purpose} id`, KEY_ID_BYTES)),
      key: createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `toolwright ${purpose} key`, 32))),
    }));
  }

  /** @param context must be the same when the text is opened; it is not part of the text */
  seal(payload: unknown, context = ''): string {
    return this.#write(JSON.stringify(payload), context);
  }

  /** Bytes as they are. As JSON, each of them may take up to six. */
  sealBytes(bytes: Uint8Array, context = ''): string {
    return this.#write(bytes, context);
  }

  #write(content: string | Uint8Array, context: string): string {
    const { id, key } = this.#keys[0]!;
    this.#sealed++;
    if (this.#sealed % (this.options.warnEvery ?? WARN_EVERY) === 0) this.#warnOfWear();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
      boundTo(id, context),
    );
    const sealed = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content);
    const text = Buffer.concat([sealed, cipher.final()]);
    return Buffer.concat([id, iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  #warnOfWear(): void {
    const fields = { purpose: this.purpose, sealed: this.#sealed };
    this.options.logger?.warn(
      fields,
      'This process has sealed very many texts with one secret. A secret is safe for 2^32 texts of all processes together: put a new one in front of the list of secrets',
    );
  }

  /**
   * The sealed content; `undefined` for anything that was not sealed with one of the keys, or that differs in
   * a single bit.
   */
  open(text: string, context = ''): unknown {
    const content = this.openBytes(text, context);
    try {
      return content && (JSON.parse(content.toString('utf8')) as unknown);
    } catch {
      return undefined;
    }
  }

  /** What `sealBytes` has sealed; `undefined` for anything else, as `open` gives it. */
  openBytes(text: string, context = ''): Buffer | undefined {
    if (text.length > (this.options.maxLength ?? Number.POSITIVE_INFINITY)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // Node skips characters that are not base64url and ignores spare bits, so only the exact text is
    // accepted.
    if (bytes.length < KEY_ID_BYTES + IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text)
      return undefined;
    const [id, iv, tag, content] = cut(bytes);
    const key = this.#keys.find((candidate) => candidate.id.equals(id))?.key;
    if (!key) return undefined;
    try {
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(boundTo(id, context))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(content), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** How a seal behaves. */
interface SealOptions {
  /** Longer texts are not even opened, in characters; for texts that come from callers. */
  readonly maxLength?: number;
  /** Gets a warning when the first secret has sealed very many texts. */
  readonly logger?: { warn(fields: object, message: string): void } | undefined;
  /** After how many texts. Default 2^30. */
  readonly warnEvery?: number;
}

/**
 * With random nonces, AES-GCM is safe for 2^32 texts of one key (NIST SP 800-38D, section 8.3). Other processes have
 * the same key and count for themselves, so each tells long before.
 */
const WARN_EVERY = 2 ** 30;

function boundTo(id: Buffer, context: string): Buffer {
  return Buffer.concat([id, Buffer.from(context)]);
}

function cut(bytes: Buffer): [id: Buffer, iv: Buffer, tag: Buffer, text: Buffer] {
  const ivAt = KEY_ID_BYTES;
  const tagAt = ivAt + IV_BYTES;
  const textAt = tagAt + TAG_BYTES;
  return [
    bytes.subarray(0, ivAt),
    bytes.subarray(ivAt, tagAt),
    bytes.subarray(tagAt, textAt),
    bytes.subarray(textAt),
  ];
}

/** SHA-256 (base64url) of a JSON value. The order of its keys does not matter. */
export function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
