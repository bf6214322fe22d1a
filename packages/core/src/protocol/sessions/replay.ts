import type { StoredEvent } from '../../ports/event-store.js';
import type { EventSink } from './event-stream.js';

/**
 * A client that resumes a stream. First it gets the stored events that it missed. What the stream sends
 * meanwhile is held back until then, so that no event is lost, doubled or out of order.
 */
export class ReplayingSink implements EventSink {
  #held: { text: string; eventId: string | undefined }[] | undefined = [];
  #isClosing = false;
  readonly #replayed = new Set<string>();

  constructor(private readonly sink: EventSink) {}

  replay(missed: readonly StoredEvent[]): void {
    for (const { id, text, last } of missed) {
      if (last || this.#replayed.has(id)) continue;
      this.#replayed.add(id);
      this.sink.write(text, id);
    }
  }

  /** Everything that was missed has been replayed. What was held back follows. */
  open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { text, eventId } of held) this.#pass(text, eventId);
    this.#replayed.clear();
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

  #pass(text: string, eventId: string | undefined): void {
    if (eventId === undefined || !this.#replayed.has(eventId)) this.sink.write(text, eventId);
  }
}
