import { EventEmitter, once } from 'node:events';
import type { Logger } from '@toolwright/core/ports';

interface Line {
  readonly level: keyof Logger;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Keeps what was logged. A test can wait for a line. */
export class LogLines implements Logger {
  readonly lines: Line[] = [];
  readonly #added = new EventEmitter();
  readonly debug = this.#level('debug');
  readonly info = this.#level('info');
  readonly warn = this.#level('warn');
  readonly error = this.#level('error');

  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  /** Resolves when this was logged so many times. */
  async heard(message: string, times = 1): Promise<void> {
    while (this.messages.filter((each) => each === message).length < times) await once(this.#added, 'line');
  }

  #level(level: keyof Logger) {
    return (fields: Record<string, unknown>, message: string) => {
      this.lines.push({ level, fields, message });
      this.#added.emit('line');
    };
  }
}

export const AWAY = 'Redis does not answer';
export const BACK = 'Redis answers again';
