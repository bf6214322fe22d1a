/** How many leases of one key may be held at a time, over all processes. */
export interface LeaseLimit {
  readonly key: string;
  readonly max: number;
}

/** Gives a lease back. Calling it again does nothing. */
export type ReleaseLease = () => void | Promise<void>;

/**
 * Counts what runs at a time over all processes of a server. A lease ends when it is released, or a short
 * time after its process has died. The store renews the leases of a living process by itself.
 */
export interface LeaseStore {
  /** Takes a lease of every limit, or none: `undefined` when one of them is reached. */
  acquire(limits: readonly LeaseLimit[]): (ReleaseLease | undefined) | Promise<ReleaseLease | undefined>;
}
