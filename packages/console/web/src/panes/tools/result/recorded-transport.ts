import { PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** A message between the host and the page, as it was sent. */
export interface BridgeMessage {
  readonly at: number;
  readonly from: 'host' | 'page';
  readonly message: Readonly<Record<string, unknown>>;
}

/** The channel to the page of a frame, which shows every message to somebody else as well. */
export class RecordedTransport extends PostMessageTransport {
  constructor(
    frame: Window,
    private readonly record: (message: BridgeMessage) => void,
  ) {
    super(frame, frame);
    this.#hear();
  }

  override send(...[message, ...rest]: Parameters<PostMessageTransport['send']>): Promise<void> {
    this.#tell('host', message);
    return super.send(message, ...rest);
  }

  /** The bridge sets `onmessage` when it connects. */
  #hear(): void {
    let heard: PostMessageTransport['onmessage'];
    Object.defineProperty(this, 'onmessage', {
      configurable: true,
      get: () => heard,
      set: (listener: NonNullable<PostMessageTransport['onmessage']>) => {
        heard = (message, ...rest) => {
          this.#tell('page', message);
          listener(message, ...rest);
        };
      },
    });
  }

  #tell(from: BridgeMessage['from'], message: object): void {
    this.record({ at: performance.now(), from, message: message as BridgeMessage['message'] });
  }
}
