import { Console } from 'node:console';

const METHODS = [
  'log',
  'info',
  'debug',
  'dir',
  'table',
  'group',
  'groupCollapsed',
  'count',
  'timeEnd',
  'timeLog',
] as const;

/**
 * Makes `console` print to stderr instead of stdout, because stdout belongs to the protocol. Returns the
 * function that restores `console`.
 */
export function guardConsole(): () => void {
  const stderr = new Console(process.stderr, process.stderr);
  const originals = METHODS.map((name) => [name, console[name]] as const);
  for (const name of METHODS) console[name] = stderr[name].bind(stderr) as never;
  return () => {
    for (const [name, original] of originals) console[name] = original as never;
  };
}
