import { within } from '../../call/limits/timed-store.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { isPromise } from '../../base/maybe-promise.js';
import type { Clock } from '../../ports/clock.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';

/** How many milliseconds the store may take. Meanwhile, what the stream sends is held in memory. */
const READ_MS = 3_000;

/** The events that followed one of them on its stream. An answer that takes too long is an error. */
export function missedEvents(
  { store, key, clock }: { store: EventStore | undefined; key: string; clock: Clock },
  stream: string,
  lastEventId: string,
): MaybePromise<readonly StoredEvent[]> {
  const missed = store?.after(key, stream, lastEventId) ?? [];
  const tooLate = () => new Error(`The store of events took longer than ${READ_MS} ms.`);
  return isPromise(missed) ? within(missed, { clock, ms: READ_MS, tooLate }) : missed;
}
