import { isToolwrightError, ToolError } from '@toolwright/core';
import { GithubRefusal } from './github-refusal.js';

/** What the caller can do about a failure. Their text is ours: GitHub's own is for the log, as the cause. */
export function explainFailure(cause: unknown): unknown {
  if (cause instanceof GithubRefusal) return new ToolError(adviceOn(cause), { cause });
  // What safeFetch says is about the operator's address, which is none of the model's choosing.
  const noAnswer = isToolwrightError(cause) && cause.code.startsWith('TW_SAFE_');
  if (!noAnswer) return cause;
  return new ToolError(
    'GitHub did not answer. The issue may exist all the same: have the user look before you send it again.',
    { cause },
  );
}

function adviceOn({ status, retryAfter, fields }: GithubRefusal): string {
  if (status === 429 || (status === 403 && retryAfter !== undefined)) {
    return `GitHub takes no more issues for now. Send it again in ${retryAfter ?? 60} s.`;
  }
  if (status === 422)
    return `GitHub does not accept: ${fields.join(', ') || 'the issue'}. Change it and send it again.`;
  if (status >= 500) return 'GitHub has a fault. Send it again in some minutes.';
  if (status === 410) return 'The repository takes no issues. Tell the user; sending it again does not help.';
  return 'GitHub does not let this server create issues. Tell the user that its operator has to look after the token.';
}
