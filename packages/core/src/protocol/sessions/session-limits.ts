import type { EventStore } from '../../ports/event-store.js';

export interface SessionLimits {
  max: number;
  maxPerPrincipal: number;
  maxAnonymous: number;
  idleMs: number;
  /** How long a sealed id is accepted. */
  lifetimeMs: number;
  answerMs: number;
  whenUnverified: 'read' | 'refuse';
}

/**
 * The stores of events. They are separate, so that events for anonymous callers push out none of a principal.
 */
export interface SessionEvents {
  ofPrincipals: EventStore;
  ofAnonymous: EventStore;
  /** True for a store of the application: another process may need the events. */
  areShared: boolean;
}
