import { Token } from '@toolwright/core';
import type { RunCommandOptions } from '@toolwright/safe';

/** How long a command may run, and how much it may print. */
export type CommandLimits = Required<Pick<RunCommandOptions, 'timeout' | 'maxOutputBytes'>>;

export const COMMAND_LIMITS = new Token<CommandLimits>('command limits');

/** What fits into a model's context, and what a person waits for. */
export const defaultLimits: CommandLimits = { timeout: 5_000, maxOutputBytes: 32_768 };
