/** An error with its causes and places. What describes it is loaded when something has failed: no start waits for it. */
export function describeFailedStart(error: unknown): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const extend = require('@toolwright/core/extend') as typeof import('@toolwright/core/extend');
  return extend.describeFailedStart(error);
}
