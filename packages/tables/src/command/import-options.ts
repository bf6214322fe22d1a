import { ImportOptionError, prefixRule } from '@toolwright/json';
import type { TableSelection } from '../model/select-tables.js';

/** What a person chose. An update keeps the choices that it does not replace. */
export interface TableChoices extends TableSelection {
  readonly prefix?: string;
  readonly title?: string;
}

export interface TableImportOptions {
  readonly out: string;
  readonly choices: TableChoices;
  readonly check: boolean;
  readonly yes: boolean;
}

/**
 * Reads the options of a command line.
 *
 * @throws {ImportOptionError}
 */
export function readImportOptions(values: Readonly<Record<string, unknown>>): TableImportOptions {
  const { out, schema, include, exclude, write, prefix, title, check, yes } = values;
  if (typeof out !== 'string' || out === '')
    throw new ImportOptionError('--out is missing: name the folder of the services.');
  // An empty one takes away the prefix of the last import.
  if (prefix !== undefined && prefix !== '' && !prefixRule.accepts(prefix))
    throw new ImportOptionError(`--prefix ${String(prefix)} is not ${prefixRule.expected}.`);
  const lists = { schemas: schema, include, exclude, write };
  const chosen = Object.entries(lists).filter(([, value]) => value !== undefined);
  return {
    out,
    choices: {
      ...Object.fromEntries(chosen.map(([name, value]) => [name, namesIn(value)])),
      ...(prefix !== undefined && { prefix: prefix as string }),
      ...(title !== undefined && { title: title as string }),
    },
    check: check === true,
    yes: yes === true,
  };
}

/** An option may be there several times, and each time with several names: `--write film,actor`. */
const namesIn = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((each) => String(each).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
