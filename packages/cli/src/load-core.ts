/**
 * Loads `@toolwright/core`, which only some commands need. It uses `require`: before Node.js runs what an `import()` names,
 * it searches the whole bundle for the names of its exports, which takes longer than to run it.
 */
export function loadCore(): typeof import('@toolwright/core') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('@toolwright/core') as typeof import('@toolwright/core');
}

/** The same for what looks at operations and schemas without a server. */
export function loadChecks(): typeof import('@toolwright/core/checks') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('@toolwright/core/checks') as typeof import('@toolwright/core/checks');
}
