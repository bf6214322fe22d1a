import { isObject } from '@toolwright/json';
import { dirname, join } from 'node:path';
import { readJsonFile, usageError } from '@toolwright/operate/terminal';

/** The budgets of a project: `toolwright.tokens` in its package.json, or in that of the surrounding workspace. */
export interface TokenSettings {
  /** What the whole list may take. */
  readonly list?: number;
  /** What each tool may take. */
  readonly tool?: number;
  /** What single tools may take, by name. */
  readonly tools?: Readonly<Record<string, number>>;
}

/** Settings, and the folder that has them. */
export interface FoundSettings {
  readonly settings: TokenSettings;
  readonly directory: string | undefined;
}

/** @throws {CommandError} if the settings are wrong; the message says where and why */
export function readTokenSettings(directory: string): FoundSettings {
  const path = join(directory, 'package.json');
  const settings = readJsonFile<{ toolwright?: { tokens?: unknown } }>(path)?.value.toolwright?.tokens;
  if (settings !== undefined) return { settings: checked(settings, path), directory };
  const above = dirname(directory);
  return above === directory ? { settings: {}, directory: undefined } : readTokenSettings(above);
}

function checked(settings: unknown, path: string): TokenSettings {
  const refuse = (problem: string): never => {
    throw usageError(`${path}: toolwright.tokens: ${problem}`);
  };
  if (!isObject(settings)) return refuse('an object with list, tool and tools is expected.');
  const { list, tool, tools = {}, ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`"${unknown}" is no setting: there are list, tool and tools.`);
  if (!isObject(tools)) return refuse('"tools" is an object with a number of tokens for each name.');
  for (const [name, value] of Object.entries({ list, tool, ...tools }))
    if (value !== undefined && !isCount(value)) refuse(`"${name}" is a number of tokens.`);
  return settings;
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
