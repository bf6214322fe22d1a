import { isObject } from '@toolwright/json';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { readFileSync } from 'node:fs';
import { usageError } from './command-error.js';

/** A JSON file with its text. */
export interface JsonFile<T extends object = Record<string, unknown>> {
  path: string;
  text: string;
  value: T;
}

/**
 * Reads a file that must be a JSON object, such as a package.json.
 *
 * @returns undefined if there is no such file
 * @throws {CommandError} if it is not a JSON object; the message says where
 */
export function readJsonFile<T extends object = Record<string, unknown>>(
  path: string,
): JsonFile<T> | undefined {
  const text = currentText(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && !Array.isArray(value)) return { path, text, value: value as T };
  } catch (error) {
    const { line, message } = firstJsonProblem(text) ?? { line: 1, message: (error as Error).message };
    throw usageError(`${path}:${line}: ${message}. Correct the file: it is not JSON.`);
  }
  throw usageError(`${path} is no JSON object.`);
}

/** The first place where a text is not JSON. */
function firstJsonProblem(text: string): { line: number; message: string } | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  return errors[0] && jsonProblem(text, errors[0]);
}

/** A problem that `jsonc-parser` found, with its line and in words. */
export function jsonProblem(text: string, { offset, error }: ParseError): { line: number; message: string } {
  const code = printParseErrorCode(error);
  // `CloseBraceExpected` as words.
  const message = code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
  return { line: text.slice(0, offset).split('\n').length, message };
}

/** Undefined if there is no such file. */
export function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
