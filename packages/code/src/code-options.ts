import {
  type AnyOptionSchema,
  type Duration,
  type OptionSchema,
  optionRules,
} from '@toolwright/core/options';
import type { SandboxLimits } from './sandbox/messages.js';

const { count, duration, either, group, named, oneOf, parseDuration, positiveCount } = optionRules;

/** How models write programs against the tools of a server. */
export interface CodeModeOptions {
  /** `'all'` keeps the tools in the list, beside `run_code`. Default: they leave it, and are found by `search_tools`. */
  list?: 'all';
  /** `'readOnly'`: programs call tools that only read. Default: all tools of the caller. */
  only?: 'readOnly';
  /** How many tokens the declarations of tools take in the description of `run_code`, at most. Default 2,000. */
  declarations?: number;
  /** How many calls of tools a program makes at most, over all its rounds. Default 50. */
  calls?: number;
  /** How long a program itself works in a round at most. What it waits does not count. More than 0. Default 10 s. */
  time?: Duration;
  /** Bytes of memory of a program. Default 64 MB. */
  memory?: number;
  /** Bytes of the result of a program, of one inner result, and of the arguments of one call. Default 1 MB. */
  result?: number;
  /** How many programs of a process work at a time. Default 4. */
  programs?: number;
}

export type CodeModeOption = true | CodeModeOptions;

/** The least that the interpreter itself takes, in bytes. */
const LEAST_MEMORY = 20_000_000;

const memory = {
  expected: `bytes, at least ${LEAST_MEMORY}`,
  accepts: (value: unknown) => Number.isInteger(value) && (value as number) >= LEAST_MEMORY,
};

const codeOptions = {
  list: oneOf('all'),
  only: oneOf('readOnly'),
  declarations: count,
  calls: positiveCount,
  time: duration,
  memory,
  result: positiveCount,
  programs: positiveCount,
} satisfies OptionSchema<CodeModeOptions>;

/** The option that the package adds to `createMcpServer`. */
export const codeModeOption: AnyOptionSchema = {
  codeMode: named('true, or an object such as { calls: 20 }', either(optionRules.yes, group(codeOptions))),
};

/** What programs may do and use. */
export interface CodeLimits extends SandboxLimits {
  /** Calls of tools, over all rounds of a program. */
  readonly calls: number;
  /** How long a program itself may work in a round, in milliseconds. */
  readonly time: number;
}

export interface CodeSettings {
  readonly listsAll: boolean;
  readonly readsOnly: boolean;
  readonly declarations: number;
  readonly programs: number;
  readonly limits: CodeLimits;
}

const MB = 1_048_576;

/** Bytes of what `console` writes, over the whole program. */
const LOGS = 65_536;

export function codeSettingsOf(option: CodeModeOption): CodeSettings {
  const {
    list,
    only,
    declarations = 2_000,
    calls = 50,
    time = '10s',
    memory: most = 64 * MB,
    result = MB,
    programs = 4,
  } = option === true ? {} : option;
  return {
    listsAll: list === 'all',
    readsOnly: only === 'readOnly',
    declarations,
    programs,
    limits: { calls, time: parseDuration(time), memory: most, result, logs: LOGS },
  };
}
