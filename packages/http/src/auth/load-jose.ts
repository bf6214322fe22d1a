let loaded: typeof import('jose') | undefined;

/**
 * Loads jose when the first token has to be checked. It uses `require`, which Node also gives to ES modules,
 * because Jest cannot run the `import()` of a compiled package.
 */
export function loadJose(): typeof import('jose') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return (loaded ??= require('jose') as typeof import('jose'));
}
