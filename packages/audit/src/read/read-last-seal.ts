import { open } from 'node:fs/promises';
import { parseSeal, type ChainSeal } from '../chain/seal.js';

/** More bytes than the line of any seal. */
const SEAL_BYTES = 512;

/** The seal whose line ends at `end` (default: the end of the file), if there is one. */
export async function readLastSeal(path: string, end?: number): Promise<ChainSeal | undefined> {
  const file = await open(path, 'r');
  try {
    const limit = end ?? (await file.stat()).size;
    const length = Math.min(SEAL_BYTES, limit);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, limit - length);
    const text = buffer.toString('latin1', 0, bytesRead);
    return parseSeal(text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  } finally {
    await file.close();
  }
}
