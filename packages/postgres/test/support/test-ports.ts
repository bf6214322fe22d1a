import { systemClock, type Clock, type Logger } from '@toolwright/core/ports';

export interface TestPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lines: readonly string[];
  /** Resolves when this was logged so many times. */
  logged(message: string, times?: number): Promise<void>;
}

/** Keeps what was logged, for a test to look at and to wait for. */
export function testPorts(clock: Clock = systemClock): TestPorts {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const note = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
    for (const look of [...waiting]) look();
  };
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const logged = (message: string, times = 1) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (lines.filter((line) => line.includes(message)).length < times) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { clock, logger, lines, logged };
}
