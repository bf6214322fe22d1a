/** Parts of the stack that are no code of the app. */
const INSIDE = /\n\s+at [^\n]*(?:node:internal|running-servers|@toolwright|packages\/core\/)/;
/** How many causes behind each other are told. */
const MOST_CAUSES = 5;

/** An error for the person who works on the app, with its causes: without the stack lines of Node.js and of ours. */
export function describeFailure(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = 'problems' in error ? error.message : stackOf(error);
  if (error.cause === undefined || depth === MOST_CAUSES) return own;
  return `${own}\nCause: ${describeFailure(error.cause, depth + 1)}`;
}

function stackOf(error: Error): string {
  const [text = ''] = (error.stack ?? error.message).split(INSIDE);
  return text;
}
