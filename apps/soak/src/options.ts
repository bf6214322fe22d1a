import { parseArgs } from 'node:util';

export interface Options {
  /** Names of scenarios. */
  only: string[];
  quick: boolean;
}

/** @throws {Error} an unknown option or scenario */
export function readOptions(args: string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const only = values.only?.split(',') ?? [...known];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`unknown scenario "${unknown}"; known: ${known.join(', ')}`);
  return { only, quick: values.quick };
}
