import { ImportOptionError, prefixRule, present, readUrl } from '@toolwright/json';
import type { Detail } from '../model/detail.js';
import { withoutSlashes } from '../model/servers.js';
import type { OperationSelection } from '../model/select-operations.js';

/** What a person chose. An update keeps the choices that it does not replace. */
export interface ImportChoices extends OperationSelection {
  readonly baseUrl?: string;
  readonly groupBy?: 'tag' | 'path';
  readonly detail?: Detail;
  readonly prefix?: string;
  /** The groups that a person took at the terminal. */
  readonly groups?: readonly string[];
}

export interface ImportOptions {
  readonly out: string;
  readonly choices: ImportChoices;
  readonly allowRefs: readonly string[];
  readonly report: string | undefined;
  readonly check: boolean;
  readonly yes: boolean;
}

/**
 * Reads the options of a command line.
 *
 * @throws {ImportOptionError}
 */
export function readImportOptions(values: Readonly<Record<string, unknown>>): ImportOptions {
  const { out, baseUrl, include, exclude, groupBy, detail, prefix, maxTools, allowRef, report, check, yes } =
    values;
  if (typeof out !== 'string' || out === '')
    throw new ImportOptionError('--out is missing: name the folder of the services.');
  if (baseUrl !== undefined && !/^https?:/.test(readUrl(String(baseUrl))?.protocol ?? ''))
    throw new ImportOptionError(`--base-url ${String(baseUrl)} is not an http or https URL.`);
  // An empty one takes away the prefix of the last import.
  if (prefix !== undefined && prefix !== '' && !prefixRule.accepts(prefix))
    throw new ImportOptionError(`--prefix ${String(prefix)} is not ${prefixRule.expected}.`);
  const most = maxTools === undefined ? undefined : Number(maxTools);
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    throw new ImportOptionError(`--max-tools ${String(maxTools)} is not a whole number from 1 on.`);
  const base = baseUrl === undefined ? undefined : withoutSlashes(String(baseUrl));
  return {
    out,
    choices: present({
      baseUrl: base,
      include,
      exclude,
      groupBy,
      detail,
      prefix,
      maxTools: most,
    }) as ImportChoices,
    allowRefs: [allowRef ?? []].flat() as string[],
    report: report as string | undefined,
    check: check === true,
    yes: yes === true,
  };
}
