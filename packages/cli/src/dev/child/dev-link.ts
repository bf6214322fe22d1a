import type { FromApp, ToApp } from '../messages.js';

type Listener<Kind extends ToApp['tell']> = (message: Extract<ToApp, { tell: Kind }>) => void;

/** The app's end of the channel to `dev`. It does not keep the app running, and the app ends if `dev` ends. */
export class DevLink {
  private expected = 0;
  private readonly listeners = new Map<string, ((message: never) => void)[]>();

  constructor() {
    process.on('message', (message: ToApp) => {
      for (const listener of this.listeners.get(message.tell) ?? []) listener(message as never);
    });
    // The app also ends if `dev` was killed, so that nothing keeps listening.
    process.on('disconnect', () => process.exit());
    process.channel?.unref();
  }

  /** Keeps the process running until the returned function is called, because an answer will come. */
  expectAnswer(): () => void {
    if (this.expected++ === 0) process.channel?.ref();
    return () => {
      if (--this.expected === 0) process.channel?.unref();
    };
  }

  on<Kind extends ToApp['tell']>(kind: Kind, listener: Listener<Kind>): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  tell(message: FromApp): void {
    if (process.connected) process.send!(message);
  }
}
