import { inspect } from 'node:util';
import type { Logger } from '@toolwright/core';
import { visible } from '../../terminal/visible-text.js';

/** Core looks under this symbol for the logger of servers without their own. */
const DEFAULT_LOGGER = Symbol.for('toolwright.defaultLogger');

/** Makes servers of this process log for a person at the terminal, not for a log collector. */
export function provideLogger(): void {
  (globalThis as Record<symbol, unknown>)[DEFAULT_LOGGER] = readableLogger();
}

/**
 * Writes warnings and errors with their stack traces, line by line. Text of a client in them cannot hide
 * anything.
 */
export function readableLogger(
  write: (text: string) => void = (text) => void process.stderr.write(text),
): Logger {
  const at =
    (level: string): Logger['warn'] =>
    (fields, message) =>
      write(`${visible(describe(level, fields, message))}\n`);
  const silent = () => undefined;
  return { debug: silent, info: silent, warn: at('warning'), error: at('error') };
}

function describe(level: string, fields: object, message: string): string {
  const entries = Object.entries(fields);
  const said = entries.filter(([, value]) => !(value instanceof Error) && value !== undefined);
  const words = said.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : inspect(value)}`);
  const errors = entries.flatMap(([, value]) => (value instanceof Error ? [inspect(value)] : []));
  return [
    `${level}: ${message}${words.length > 0 ? ` (${words.join(', ')})` : ''}`,
    ...errors.map(indent),
  ].join('\n');
}

const indent = (text: string) => text.replace(/^/gm, '  ');
