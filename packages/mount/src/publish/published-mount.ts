import type { ToolContext } from '@toolwright/core';
import type { UpstreamRequest } from '../call/call-host.js';
import type { UpstreamResult } from '../session/upstream-session.js';
import type { OfferedForms } from './offered-forms.js';

/** What our lists and the operations in them use of a mount. */
export interface PublishedMount {
  readonly name: string;
  /** Whether the server behind completes arguments. */
  readonly completes: boolean;
  /** Whether the server behind makes tasks of calls, in either form. */
  readonly makesTasks: boolean;
  /** Where what the server behind lists may differ between callers: who has which form. */
  readonly forms?: OfferedForms | undefined;
  /** Passes a call on. */
  call(wanted: UpstreamRequest, context: ToolContext): Promise<UpstreamResult>;
  /** Subscribes to a resource, for as long as somebody watches it. */
  watch(uri: string, isWatched: () => boolean): void;
}
