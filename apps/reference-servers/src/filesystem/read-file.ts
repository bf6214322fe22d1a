import type { FileHandle } from 'node:fs/promises';
import { ToolError } from '@toolwright/core';
import type { RootedPath } from '@toolwright/safe';

/**
 * What the data of one answer may have, as JSON; the text beside it is as long. The official clients of stdio end
 * the connection at 10 MiB, and with it everything else that the server does for them.
 */
export const MAX_ANSWER = { bytes: 4_500_000 };

/** What one call may read. In base64 it grows by a third. */
export const MAX_BYTES = 3_200_000;

const CHUNK = 64 * 1024;
const LINE_END = 0x0a;

/** @throws ToolError if it is larger than `limit` */
export function readBytes(files: RootedPath, path: string, limit = MAX_BYTES): Promise<Buffer> {
  return withFile(files, path, (file) => readUntil(file, path, limit, () => false));
}

export async function readText(files: RootedPath, path: string, limit?: number): Promise<string> {
  return (await readBytes(files, path, limit)).toString('utf8');
}

/** The first lines, without the line end of the last. */
export async function readHead(files: RootedPath, path: string, count: number): Promise<string> {
  let ends = 0;
  const start = await withFile(files, path, (file) =>
    readUntil(file, path, MAX_BYTES, (chunk) => (ends += countLineEnds(chunk)) >= count),
  );
  const lines = start.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(0, count).join('\n');
}

/** The last lines. What stands after the last line end is a line, even if it is empty. */
export function readTail(files: RootedPath, path: string, count: number): Promise<string> {
  return withFile(files, path, async (file) => {
    let text = Buffer.alloc(0);
    let ends = 0;
    for (let at = (await file.stat()).size; at > 0 && ends < count; at -= CHUNK) {
      const from = Math.max(0, at - CHUNK);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(at - from), 0, at - from, from);
      ends += countLineEnds(buffer.subarray(0, bytesRead));
      text = Buffer.concat([buffer.subarray(0, bytesRead), text]);
      if (text.length > MAX_BYTES) throw tooLarge(path, MAX_BYTES);
    }
    return text.toString('utf8').replaceAll('\r\n', '\n').split('\n').slice(-count).join('\n');
  });
}

async function withFile<T>(
  files: RootedPath,
  path: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await files.open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Counts what it reads instead of believing the size: a file can grow meanwhile, and some claim to be empty. */
async function readUntil(
  file: FileHandle,
  path: string,
  limit: number,
  isEnough: (chunk: Buffer) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, total);
    if (bytesRead === 0) break;
    total += bytesRead;
    if (total > limit) throw tooLarge(path, limit);
    chunks.push(buffer.subarray(0, bytesRead));
    if (isEnough(chunks.at(-1)!)) break;
  }
  return Buffer.concat(chunks);
}

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_END) count += 1;
  return count;
}

function tooLarge(path: string, limit: number) {
  return new ToolError(
    `"${path}" has more than ${limit} bytes. Read a part of it: read_text_file has "head" and "tail".`,
  );
}
