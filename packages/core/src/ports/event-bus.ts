/** A change that subscribers of any instance may want to know about. */
export type ServerEvent =
  | { type: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged' }
  | { type: 'resourceUpdated'; uri: string }
  | { type: 'taskChanged'; taskId: string };

/**
 * Carries change events to every instance of the server. The default works in memory; an adapter connects
 * several processes.
 */
export interface EventBus {
  publish(event: ServerEvent): void | Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}
