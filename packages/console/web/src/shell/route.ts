import { useSyncExternalStore } from 'react';

/** A place in the console: a pane, and what is open in it. The address has it behind the `#`. */
export interface Route {
  readonly pane: string;
  /** Such as a kind and a key. */
  readonly rest: readonly string[];
}

const DEFAULT_PANE = 'tools';
let known: { readonly hash: string; readonly route: Route } | undefined;

function read(): Route {
  const { hash } = location;
  if (known?.hash !== hash) {
    const [pane = '', ...rest] = hash.replace(/^#\/?/, '').split('/').map(decoded);
    known = { hash, route: { pane: pane || DEFAULT_PANE, rest } };
  }
  return known!.route;
}

/** People and other programs write addresses, too: a text that is not encoded is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place. */
export function hrefOf(pane: string, ...rest: readonly string[]): string {
  return `#/${[pane, ...rest].map(encodeURIComponent).join('/')}`;
}

export function go(pane: string, ...rest: readonly string[]): void {
  location.hash = hrefOf(pane, ...rest);
}

export function useRoute(): Route {
  return useSyncExternalStore((listener) => {
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, read);
}
