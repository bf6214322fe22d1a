import type { ServerEvent } from '@toolwright/core';

/** An event on its way, and the process that has published it. */
export interface BusMessage {
  readonly from: string;
  readonly event: ServerEvent;
}

/** The texts that an event of each type has. */
const texts: Record<ServerEvent['type'], readonly string[]> = {
  toolsListChanged: [],
  promptsListChanged: [],
  resourcesListChanged: [],
  resourceUpdated: ['uri'],
  taskChanged: ['taskId'],
  sessionMessage: ['session', 'sealed'],
  eventsMissed: [],
};

/** `undefined` for what no process of this version has published. Others may write to the same channel. */
export function readBusMessage(message: string): BusMessage | undefined {
  const { from, event } = objectOf(parse(message));
  const fields = objectOf(event);
  const { type } = fields;
  if (typeof from !== 'string' || typeof type !== 'string' || !Object.hasOwn(texts, type)) return undefined;
  const names = texts[type as ServerEvent['type']];
  if (names.some((name) => typeof fields[name] !== 'string')) return undefined;
  return { from, event: event as ServerEvent };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
