import type { TaskRecord } from '@toolwright/core/ports';

/** The place behind a task, in the order of creation. */
export interface CursorPlace {
  readonly createdAt: number;
  readonly id: string;
}

export function encodeCursor({ createdAt, id }: TaskRecord): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
}

/** @returns `undefined` when the cursor is not one of ours */
export function decodeCursor(cursor: string): CursorPlace | undefined {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isPlace = Number.isFinite(createdAt) && typeof id === 'string' && !id.includes('\0');
    return isPlace ? { createdAt: createdAt as number, id: id as string } : undefined;
  } catch {
    return undefined;
  }
}
