import { isServerEvent, type ServerEvent } from '@toolwright/core';

/** An event on its way, and the process that has published it. */
export interface BusMessage {
  readonly from: string;
  readonly event: ServerEvent;
}

/** `undefined` for what no process of this version has published. Others may write to the same channel. */
export function readBusMessage(message: string): BusMessage | undefined {
  const { from, event } = (parse(message) ?? {}) as { from?: unknown; event?: unknown };
  return typeof from === 'string' && isServerEvent(event) ? { from, event } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
