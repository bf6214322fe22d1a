import type { ConsoleEvent } from '../../../src/api/console-api.js';

/** What one tab tells the others. */
type TabMessage =
  | { readonly tell: 'event'; readonly event: ConsoleEvent }
  /** The stream has been opened: everything before it is to be asked again. */
  | { readonly tell: 'opened' }
  | { readonly tell: 'state'; readonly isConnected: boolean }
  /** A tab has come, and does not know the state. */
  | { readonly tell: 'hello' };

export interface EventListeners {
  event(event: ConsoleEvent): void;
  /** Events may have been missed: everything is to be asked again. */
  refresh(): void;
  connected(isConnected: boolean): void;
}

/** The server may be about to start again. Waiting longer each time would only make the person wait. */
const RETRY_MS = 1_000;

/**
 * Follows the events of the console. Browsers open six connections to a host, over all tabs, and a stream takes one for
 * as long as it lasts. So all tabs in sight share one: a lock of the browser chooses the tab that has it, and that tab
 * passes events on. A hidden tab lets go of everything, and asks again when it is seen. Without locks, which browsers
 * offer only on secure origins, each tab in sight has a stream of its own.
 */
export class SharedEvents {
  readonly #name = `toolwright-console ${new URL('.', document.baseURI).pathname}`;
  #channel: BroadcastChannel | undefined;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lead: AbortController | undefined;
  /** Whether everything has been asked since the tab came into sight. */
  #hasAsked = false;

  constructor(private readonly listeners: EventListeners) {}

  /** Returns a function that ends it. */
  start(): () => void {
    const look = () => (document.visibilityState === 'hidden' ? this.#leave() : this.#join());
    // A page that the browser keeps for its "back" button holds nothing meanwhile.
    const hide = () => this.#leave();
    document.addEventListener('visibilitychange', look);
    addEventListener('pagehide', hide);
    addEventListener('pageshow', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pagehide', hide);
      removeEventListener('pageshow', look);
      this.#leave();
    };
  }

  #join(): void {
    if (this.#channel) return;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#hear(data);
    this.#hasAsked = false;
    // Another tab may have the stream already. It answers, as nothing opens the stream anew for this tab.
    this.#tell({ tell: 'hello' });
    const { locks } = navigator as Partial<Navigator>;
    if (!locks) return this.#open();
    const lead = (this.#lead = new AbortController());
    const ended = new Promise<void>((resolve) =>
      lead.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    void locks
      .request(this.#name, { signal: lead.signal }, () => {
        if (lead.signal.aborted) return undefined;
        this.#open();
        return ended;
      })
      // The tab was hidden before its turn came.
      .catch(() => undefined);
  }

  #leave(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.#channel?.close();
    this.#channel = undefined;
    this.#lead?.abort();
    this.#lead = undefined;
  }

  #open(): void {
    const source = (this.#source = new EventSource('api/events'));
    source.onopen = () => this.#share({ tell: 'opened' });
    source.onmessage = ({ data }: MessageEvent<string>) =>
      this.#share({ tell: 'event', event: JSON.parse(data) as ConsoleEvent });
    source.onerror = () => {
      this.#share({ tell: 'state', isConnected: false });
      // The browser tries again after a break, but not after an answer that is not a stream, such as that of a proxy.
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      this.#retry = setTimeout(() => this.#open(), RETRY_MS);
    };
  }

  /** Tells all tabs in sight, this one, too. */
  #share(message: TabMessage): void {
    this.#tell(message);
    this.#hear(message);
  }

  #tell(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  #hear(message: TabMessage): void {
    switch (message.tell) {
      case 'event':
        return this.listeners.event(message.event);
      case 'opened':
        this.listeners.connected(true);
        return this.#refresh();
      case 'state':
        this.listeners.connected(message.isConnected);
        if (message.isConnected && !this.#hasAsked) this.#refresh();
        return;
      case 'hello':
        if (this.#source)
          this.#tell({ tell: 'state', isConnected: this.#source.readyState === EventSource.OPEN });
    }
  }

  #refresh(): void {
    this.#hasAsked = true;
    this.listeners.refresh();
  }
}
