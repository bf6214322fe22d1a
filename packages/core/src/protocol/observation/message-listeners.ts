import { Listeners } from '../../base/maybe-promise.js';
import type { Registry } from '../../call/operation/registry.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { MessageListener, ObservedMessage } from './observed-message.js';

/** Who wants to know of messages. While there is nobody, messages are not observed. */
export class MessageListeners extends Listeners<ObservedMessage> {
  #messages = 0;
  #channels = 0;

  constructor(
    readonly registry: Registry,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    super(ports.logger, 'A listener to messages failed');
  }

  /** Is called when the first listener comes and when the last one has gone. */
  onSwitch: () => void = () => undefined;

  override add(listener: MessageListener): this {
    super.add(listener);
    if (this.size === 1) this.onSwitch();
    return this;
  }

  override delete(listener: MessageListener): boolean {
    const wasThere = super.delete(listener);
    if (wasThere && this.size === 0) this.onSwitch();
    return wasThere;
  }

  /** A name for a channel that has none. */
  nameChannel(): string {
    return `channel ${++this.#channels}`;
  }

  /** Tells all listeners. */
  observe(observed: Omit<ObservedMessage, 'number' | 'at'>): void {
    this.tell({ ...observed, number: ++this.#messages, at: this.ports.clock.now() });
  }
}
