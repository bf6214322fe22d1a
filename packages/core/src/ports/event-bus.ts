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
