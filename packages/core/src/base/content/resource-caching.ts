/** How long and by whom a client may keep what it read (2026-07-28 server/utilities/caching). A hint, no guarantee. */
export interface ResourceCaching {
  /** Milliseconds. */
  ttlMs: number;
  /**
   * `public`: the same for every caller, so that proxies may share it. Default `private`; also wherever the server
   * decides by caller who may use what.
   */
  scope?: 'public' | 'private';
}
