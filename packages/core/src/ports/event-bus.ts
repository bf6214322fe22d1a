/** Something that changed and that subscribers of any instance may want to hear of. */
export type ServerEvent =
  | { type: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged' }
  | { type: 'resourceUpdated'; uri: string }
  | { type: 'taskChanged'; taskId: string };

/** Carries change events to every instance of the server. In memory by default; shared through an adapter. */
export interface EventBus {
  publish(event: ServerEvent): void | Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}
