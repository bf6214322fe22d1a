type IpAddr = typeof import('ipaddr.js');

let loaded: IpAddr | undefined;

/**
 * Loads ipaddr.js when the first address has to be checked, because a server that only opens files does not
 * need it. It uses `require`, because Jest cannot run the `import()` of a compiled package.
 */
export function loadIpaddr(): IpAddr {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return (loaded ??= require('ipaddr.js') as IpAddr);
}
