import type { StoredEvent } from '../../ports/event-store.js';
import type { EventSink } from './event-stream.js';

interface Sent {
  readonly text: string;
  readonly eventId: string | undefined;
}

/**
 * A client that resumes a stream. First it gets the stored events that it missed. What the stream sends
 * meanwhile is held back until then, so that no event is lost, doubled or out of order.
 */
export class ReplayingSink implements EventSink {
  #missed: Sent[] = [];
  #held: Sent[] | undefined = [];
  #isClosing = false;

  /**
   * @param merge sends equal messages once. This is for the stream for changes: while it moves from one process
   *   to another, both may have stored the same change, and one message tells the client all that two would
   */
  constructor(
    private readonly sink: EventSink,
    private readonly merge = false,
  ) {}

  /** Takes the events that the client missed. */
  replay(missed: readonly StoredEvent[]): void {
    for (const { id, text, last } of missed) if (!last) this.#missed.push({ text, eventId: id });
  }

  /** Sends what was missed, then what was held back, and from now on everything at once. */
  open(): void {
    const known = new Set(this.#missed.map(({ eventId }) => eventId));
    const held = this.#held?.filter(({ eventId }) => eventId === undefined || !known.has(eventId)) ?? [];
    const all = [...this.#missed, ...held];
    this.#held = undefined;
    this.#missed = [];
    for (const { text, eventId } of this.merge ? lastOfEach(all) : all) this.sink.write(text, eventId);
    if (this.#isClosing) this.sink.close();
  }

  write(text: string, eventId?: string): void {
    if (this.#held) this.#held.push({ text, eventId });
    else this.sink.write(text, eventId);
  }

  close(): void {
    if (this.#held) this.#isClosing = true;
    else this.sink.close();
  }
}

/** The last one is kept, so that the client resumes behind all of them the next time. */
function lastOfEach(events: readonly Sent[]): Iterable<Sent> {
  const byText = new Map<string, Sent>();
  for (const event of events) {
    byText.delete(event.text);
    byText.set(event.text, event);
  }
  return byText.values();
}
