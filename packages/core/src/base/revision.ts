/** Revisions of the protocol that servers speak, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/**
 * How a revision opens. `stateless`: every request carries its version and capabilities (from 2026-07-28 on).
 * `stateful`: an `initialize` handshake opens, and a session may follow.
 */
export type Era = 'stateless' | 'stateful';
