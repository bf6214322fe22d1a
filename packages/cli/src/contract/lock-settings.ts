import { isObject } from '@toolwright/json';
import { join } from 'node:path';
import { readJsonFile, usageError } from '@toolwright/operate/terminal';

/** A specification whose operations the app adds as tools with `openApiTools`, and the options that change their contract. */
export interface OpenApiSettings {
  /** Its path, from the folder of the `package.json`. */
  readonly spec: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly detail?: string;
  readonly prefix?: string;
}

/** What a project says about its lock: `toolwright.lock` in its own package.json. */
export interface LockSettings {
  readonly openapi: readonly OpenApiSettings[];
}

const OPTIONS = ['spec', 'include', 'exclude', 'detail', 'prefix'];

/** @throws {CommandError} if the settings are wrong; the message says where and why */
export function readLockSettings(directory: string): LockSettings {
  const path = join(directory, 'package.json');
  const settings = readJsonFile<{ toolwright?: { lock?: unknown } }>(path)?.value.toolwright?.lock;
  if (settings === undefined) return { openapi: [] };
  const refuse = (problem: string): never => {
    throw usageError(`${path}: toolwright.lock: ${problem}`);
  };
  if (!isObject(settings)) return refuse('an object with openapi is expected.');
  const { openapi = [], ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`"${unknown}" is no setting: there is openapi.`);
  if (!Array.isArray(openapi)) return refuse('"openapi" is a list of objects with the path "spec".');
  for (const each of openapi as unknown[]) {
    if (!isObject(each) || typeof each['spec'] !== 'string')
      return refuse('"openapi" is a list of objects with the path "spec".');
    const wrong = Object.keys(each).find((name) => !OPTIONS.includes(name));
    if (wrong !== undefined)
      refuse(`"${wrong}" does not change what callers depend on: there are ${OPTIONS.join(', ')}.`);
  }
  return { openapi: openapi as OpenApiSettings[] };
}
