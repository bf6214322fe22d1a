import type { ServerEvent } from '@toolwright/core';
import type { Session } from '../connect/database.js';
import { decodeEvent, decodeMessage } from './bus-message.js';

export interface InboxSettings {
  /** The name of this process on the bus. What it has sent itself, its listeners have heard already. */
  readonly self: string;
  readonly schema: string;
  deliver(event: ServerEvent): void;
}

/** Reads notifications, one after the other, so that an event whose row has to be fetched keeps its place. */
export class BusInbox {
  #reading = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly session: Session,
    private readonly settings: InboxSettings,
  ) {}

  receive(payload: string): void {
    const message = decodeMessage(payload);
    if (!message || message.from === this.settings.self) return;
    const { event, row } = message;
    if (event && this.#waiting === 0) return this.settings.deliver(event);
    this.#waiting += 1;
    this.#reading = this.#reading.then(async () => {
      this.settings.deliver(event ?? (await this.#fetch(row!)));
      this.#waiting -= 1;
    });
  }

  /** An event that cannot be read is one that was missed. */
  async #fetch(id: string): Promise<ServerEvent> {
    const missed: ServerEvent = { type: 'eventsMissed' };
    try {
      const [row] = await this.session.query(
        `SELECT event FROM "${this.settings.schema}".events WHERE id = $1`,
        [id],
      );
      return decodeEvent(String(row?.['event'])) ?? missed;
    } catch {
      return missed;
    }
  }
}
