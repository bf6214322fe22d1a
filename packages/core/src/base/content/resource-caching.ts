/**
 * How long a client may keep what it read, and who may share it (2026-07-28, server/utilities/caching). It is
 * a hint and not a guarantee.
 */
export interface ResourceCaching {
  /** How long a client may keep it, in milliseconds. */
  ttlMs: number;
  /**
   * `public`: the content is the same for every caller, so proxies may share it. Default `private`. It is
   * always `private` where the server decides by caller who may use what.
   */
  scope?: 'public' | 'private';
}
