import { orAborted } from '@toolwright/json';
import type { Clock, Logger } from '@toolwright/core/ports';
import type { ApprovalsOptions, WaitingApproval } from './approval-options.js';

/** How long one try may take, in milliseconds. */
const LONGEST_MS = 30_000;

/** How long to wait after each try that failed, in milliseconds. */
const PAUSES_MS = [5_000, 60_000];

interface NotifySettings {
  readonly notify: NonNullable<ApprovalsOptions['notify']>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What people are notified of, and whether it still waits for them. */
interface Notification {
  readonly waiting: WaitingApproval;
  isOver(): Promise<boolean>;
  /** Nobody was notified, and nobody will be. */
  gaveUp(): void;
}

/** Notifies people of approvals that wait. No call waits for it, and nothing that it does can end a question. */
export class NotifyPeople {
  readonly #open = new Map<Notification, () => void>();

  constructor(private readonly settings: NotifySettings) {}

  send(notification: Notification): void {
    this.#later(notification, 0, 0);
  }

  /** Ends what has not come to an end. The questions stay in the inbox. */
  close(): void {
    const left = this.#open.size;
    for (const stop of this.#open.values()) stop();
    this.#open.clear();
    if (left > 0)
      this.settings.logger.warn(
        { questions: left },
        'The server closes before people were notified of all approvals that wait for them; the inbox shows them',
      );
  }

  /** A timer runs in the context of the server: a call may have a transaction in its own. */
  #later(notification: Notification, attempt: number, ms: number): void {
    this.#open.set(
      notification,
      this.settings.clock.after(ms, () => void this.#try(notification, attempt)),
    );
  }

  async #try(notification: Notification, attempt: number): Promise<void> {
    try {
      // Somebody has found it in the meantime.
      const isOver = attempt > 0 && (await notification.isOver());
      if (!isOver && this.#open.has(notification)) await this.#call(notification);
      this.#open.delete(notification);
    } catch (err) {
      // The server has closed.
      if (!this.#open.has(notification)) return;
      const pause = PAUSES_MS[attempt];
      const about = { err, operation: notification.waiting.operation.name };
      if (pause === undefined) {
        this.#open.delete(notification);
        notification.gaveUp();
        this.settings.logger.error(
          about,
          'Nobody was notified of an approval that waits; the inbox shows it',
        );
      } else {
        this.settings.logger.warn(
          about,
          'Nobody was notified yet of an approval that waits; it is tried again',
        );
        this.#later(notification, attempt + 1, pause);
      }
    }
  }

  async #call(notification: Notification): Promise<void> {
    const { notify, clock } = this.settings;
    const controller = new AbortController();
    const { signal } = controller;
    const stopTimer = clock.after(LONGEST_MS, () =>
      controller.abort(new Error(`The option "notify" took more than ${LONGEST_MS / 1_000} seconds.`)),
    );
    this.#open.set(notification, () => {
      stopTimer();
      controller.abort(new Error('The server closes.'));
    });
    try {
      await orAborted(signal, (async () => notify(notification.waiting, signal))());
    } finally {
      stopTimer();
    }
  }
}
