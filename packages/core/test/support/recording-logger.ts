import type { Logger } from '@toolwright/ground/ports/logger';

export interface LogLine {
  level: keyof Logger;
  fields: Record<string, unknown>;
  message: string;
}

/** Keeps what is logged. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];
  readonly debug = this.#writer('debug');
  readonly info = this.#writer('info');
  readonly warn = this.#writer('warn');
  readonly error = this.#writer('error');

  #writer(level: keyof Logger) {
    return (fields: Record<string, unknown>, message: string): void => {
      this.lines.push({ level, fields, message });
    };
  }
}
