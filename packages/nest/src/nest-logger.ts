import { Logger as NestLogger } from '@nestjs/common';
import type { Logger } from '@toolwright/core';

const target = new NestLogger('McpServer');

/** Writes log messages with the logger of the app. */
export const nestLogger: Logger = {
  debug: (fields, message) => target.debug(...lineOf(fields, message)),
  info: (fields, message) => target.log(...lineOf(fields, message)),
  warn: (fields, message) => target.warn(...lineOf(fields, message)),
  error: ({ err, ...fields }, message) => {
    const [text, ...more] = lineOf(fields, message);
    // Nest prints a stack that is the second argument.
    target.error(
      text,
      ...(err instanceof Error ? [err.stack ?? String(err)] : err === undefined ? [] : [err]),
      ...more,
    );
  },
};

function lineOf(fields: Record<string, unknown>, message: string): [string, ...Record<string, unknown>[]] {
  return Object.keys(fields).length === 0 ? [message] : [message, fields];
}
