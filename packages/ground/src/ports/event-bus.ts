import type { ListCapability } from '../base/operation-kinds.js';
import type { Principal } from '../base/request-context.js';

/** A change that subscribers of any instance may want to know about. */
export type ServerEvent =
  | { type: `${ListCapability}ListChanged` }
  | { type: 'resourceUpdated'; uri: string }
  /**
   * A resource has changed, and only some of its subscribers may learn about it. The process that published the event
   * decides who; other processes ask it and name `question`. `to` is present within that process only: a bus that
   * carries text leaves it out.
   */
  | {
      type: 'resourceUpdatedFor';
      uri: string;
      question: string;
      to?: (principal: Principal | undefined) => boolean;
    }
  /** A question to such a process about principals, or its answer. The content is sealed. */
  | { type: 'audienceMessage'; sealed: string }
  | { type: 'taskChanged'; taskId: string }
  /**
   * A message between the processes that serve one session. The session is named by a digest of its id. The
   * content is sealed.
   */
  | { type: 'sessionMessage'; session: string; sealed: string }
  /**
   * Events may have been lost. An adapter sends this to its own listeners after it has connected again. They then act
   * as if everything had changed.
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

/** The members that each type of event must have besides its type. All of them are texts. */
const members: Readonly<Record<ServerEvent['type'], readonly string[]>> = {
  toolsListChanged: [],
  promptsListChanged: [],
  resourcesListChanged: [],
  resourceUpdated: ['uri'],
  resourceUpdatedFor: ['uri', 'question'],
  audienceMessage: ['sealed'],
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

/** Carries events within this process. */
export class MemoryEventBus implements EventBus {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  /** @throws {AggregateError} with the errors of the listeners, after all of them were called */
  publish(event: ServerEvent): void {
    const errors: unknown[] = [];
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `Listeners failed on ${event.type}.`);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    // Each subscription gets its own wrapper. A function that subscribes twice is then called twice, and each
    // of the returned functions ends one subscription.
    const entry = (event: ServerEvent) => listener(event);
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }
}
