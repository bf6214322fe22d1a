import type { ListCapability } from '../base/operation-kinds.js';

/** A change that subscribers of any instance may want to know about. */
export type ServerEvent =
  | { type: `${ListCapability}ListChanged` }
  | { type: 'resourceUpdated'; uri: string }
  | { type: 'taskChanged'; taskId: string }
  /**
   * A message between the processes that serve one session. The session is named by a digest of its id. The
   * content is sealed.
   */
  | { type: 'sessionMessage'; session: string; sealed: string }
  /**
   * Events may have been lost. An adapter tells its own listeners so after it has connected again. They then
   * act as if everything had changed.
   */
  | { type: 'eventsMissed' };

/**
 * Carries change events to every instance of the server. The default works in memory; an adapter connects
 * several processes.
 */
export interface EventBus {
  publish(event: ServerEvent): void | Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** The members that each type of event has besides its type. All of them are texts. */
const members: Readonly<Record<ServerEvent['type'], readonly string[]>> = {
  toolsListChanged: [],
  promptsListChanged: [],
  resourcesListChanged: [],
  resourceUpdated: ['uri'],
  taskChanged: ['taskId'],
  sessionMessage: ['session', 'sealed'],
  eventsMissed: [],
};

/** True for an event of this version. Adapters need it, because others may write to the same channel. */
export function isServerEvent(value: unknown): value is ServerEvent {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Record<string, unknown>;
  const { type } = event;
  if (typeof type !== 'string' || !Object.hasOwn(members, type)) return false;
  return members[type as ServerEvent['type']].every((name) => typeof event[name] === 'string');
}
