import { JsonRpcCode } from '../../base/errors/errors.js';
import type { ToolResult } from '../../base/content.js';
import type { ActiveCall } from '../active-call.js';
import { refuse } from '../refuse.js';
import { describeProblems } from './describe-problems.js';
import { hideSensitive } from './hide-sensitive.js';
import type { Problem } from './problem.js';

/** Ends a call with invalid arguments, for all checks of arguments. */
export function rejectArguments(call: ActiveCall, problems: readonly Problem[]): ToolResult {
  const { operation, environment } = call;
  const told = hideSensitive(problems, call);
  return refuse(call, {
    outcome: 'invalid',
    reason: 'TW_INVALID_ARGUMENTS',
    text: environment.cleanText(`Invalid arguments for ${operation.name}:\n${describeProblems(told)}`),
    rpcCode: JsonRpcCode.invalidParams,
  });
}
