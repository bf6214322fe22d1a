import { recording, type ClassOnlyDecorator } from './recording.js';

export interface McpServiceOptions {
  /** Ties the class to its manifest entry where neither its name nor its module survive bundling. */
  id?: string;
  /** `request`: a new instance for every call, disposed when the call has ended. Default `singleton`. */
  scope?: 'singleton' | 'request';
}

/**
 * Marks a class whose decorated methods are offered by the server. Policies written on the class hold for all its
 * methods.
 *
 * @example
 * @McpService()
 * class PageTools { constructor(private readonly pages: PageStore) {} }
 */
export function McpService(options: McpServiceOptions = {}): ClassOnlyDecorator {
  return recording({ kind: 'service', options }, McpService);
}
