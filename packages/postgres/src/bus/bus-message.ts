import { isServerEvent, type ServerEvent } from '@toolwright/core/ports';

/** What a notification carries. */
export interface BusMessage {
  /** The process that sent it. */
  readonly from: string;
  /** The event, or the id of the row that holds it. */
  readonly event?: ServerEvent;
  readonly row?: string;
}

/** PostgreSQL takes less than 8,000 bytes. */
export const MOST_BYTES = 7_999;

/** @param number makes every payload a different one: PostgreSQL delivers equal ones of a transaction only once */
export function encodeEvent(from: string, number: number, event: ServerEvent): string {
  return JSON.stringify({ from, number, event });
}

export function encodeRow(from: string, number: number, row: string): string {
  return JSON.stringify({ from, number, row });
}

/** The rows of events have random UUIDs. */
const ROW = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Anybody who may connect to the database can send a notification, so nothing is taken for granted.
 *
 * @returns `undefined` when the payload is not one of ours
 */
export function decodeMessage(payload: string): BusMessage | undefined {
  const { from, event, row } = parseObject(payload) ?? {};
  if (typeof from !== 'string') return undefined;
  if (row !== undefined) return typeof row === 'string' && ROW.test(row) ? { from, row } : undefined;
  return isServerEvent(event) ? { from, event } : undefined;
}

export function decodeEvent(text: string | undefined): ServerEvent | undefined {
  const event = parseObject(text ?? '');
  return isServerEvent(event) ? event : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
