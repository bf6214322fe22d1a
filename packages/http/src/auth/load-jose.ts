let loaded: typeof import('jose') | undefined;

/**
 * jose, once a token has to be checked. By `require`, which Node gives ES modules too: Jest cannot run the `import()` of
 * a compiled package.
 */
export function loadJose(): typeof import('jose') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return (loaded ??= require('jose') as typeof import('jose'));
}
