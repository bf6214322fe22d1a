import type { RequestContext } from '../base/request-context.js';
import type { ListChange } from './subscriptions.js';

/** What one `subscriptions/listen` stream wants to hear of. */
export interface ListenFilter {
  readonly changes: ReadonlySet<ListChange>;
  /** The URIs of resources. */
  readonly resources: ReadonlySet<string>;
  /** The ids of tasks. */
  readonly tasks: ReadonlySet<string>;
}

/** One open `subscriptions/listen` stream. */
export interface ListenStream {
  readonly request: Pick<RequestContext, 'client' | 'transport'>;
  readonly filter: ListenFilter;
  /** When it was opened, in milliseconds since the epoch. */
  readonly since: number;
  /** Ends the stream with its final result. */
  end(): void;
}
