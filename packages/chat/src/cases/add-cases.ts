import { canonicalJson, isObject, makeFolder, reasonOf } from '@toolwright/json';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ChatError } from '../chat-error.js';
import type { ChatCase } from './cases-of.js';

/**
 * Adds cases to a file that is a list of cases. A case with the same request takes the place of the older one; another one of
 * the same name gets a number. The file is written whole or not at all.
 *
 * @returns the names of the cases in the file
 * @throws {ChatError} TW_CHAT_CASES for a file that holds something else, or cannot be written
 */
export function addCases(path: string, added: readonly ChatCase[]): readonly string[] {
  const cases = readCases(path);
  const names = added.map((each) => {
    const at = cases.findIndex(({ request }) => canonicalJson(request) === canonicalJson(each.request));
    const others = new Set(cases.filter((_, index) => index !== at).map(({ name }) => name));
    const named = { ...each, name: unused(cases[at]?.name ?? each.name, others) };
    if (at < 0) cases.push(named);
    else cases[at] = named;
    return named.name;
  });
  writeCases(path, cases);
  return names;
}

function unused(name: string, others: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} #${number}`;
    if (!others.has(tried)) return tried;
  }
}

function readCases(path: string): ChatCase[] {
  if (!existsSync(path)) return [];
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(read) && read.every((each) => isObject(each) && 'request' in each && 'expect' in each))
      return read as ChatCase[];
  } catch (error) {
    throw new ChatError('TW_CHAT_CASES', `${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  throw new ChatError('TW_CHAT_CASES', `${path} is not a list of cases. Name another file, or move it away.`);
}

function writeCases(path: string, cases: readonly ChatCase[]): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(path));
    writeFileSync(draft, `${JSON.stringify(cases, undefined, 2)}\n`);
    renameSync(draft, path);
  } catch (error) {
    throw new ChatError('TW_CHAT_CASES', `${path} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}
