/** The protocol revisions that servers support, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/**
 * How a conversation starts. `stateless`: every request carries its version and capabilities (from 2026-07-28
 * on). `stateful`: it starts with an `initialize` handshake, and a session may follow.
 */
export type Era = 'stateless' | 'stateful';
