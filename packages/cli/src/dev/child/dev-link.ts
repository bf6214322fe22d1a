import type { FromApp, ToApp } from '../messages.js';

type Listener<Kind extends ToApp['tell']> = (message: Extract<ToApp, { tell: Kind }>) => void;

/** The app's end of the channel to `dev`. It keeps no app running, and no app outlives the other end. */
export class DevLink {
  private expected = 0;
  private readonly listeners = new Map<string, ((message: never) => void)[]>();

  constructor() {
    process.on('message', (message: ToApp) => {
      for (const listener of this.listeners.get(message.tell) ?? []) listener(message as never);
    });
    // Also when `dev` was killed outright: nothing that listens may stay behind.
    process.on('disconnect', () => process.exit());
    process.channel?.unref();
  }

  /** Keeps the process running until the function that comes back is called: an answer is on its way. */
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
