import { factsOf } from '../../base/operation-kinds.js';
import { hash } from 'node:crypto';
import { Cache } from './cache.js';
import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { PromptResult, ResourceResult, ToolResult } from '../../base/content/content.js';
import { locationOf, type AnyDraft } from '../../call/operation/draft.js';
import { after, type MaybePromise } from '../../base/maybe-promise.js';
import type { ActiveCall } from '../../call/active-call.js';
import { operationKey } from '../../call/operation/operation-key.js';
import type { Next } from '../../call/operation/operation.js';
import { resultKeeper } from './result-keeper.js';
import type { Guard, PlanGuard } from '../guard.js';
import { principalDigest } from './principal-digest.js';
import { canonicalJson } from '@toolwright/manifest';

type Result = ToolResult | PromptResult | ResourceResult;

const planCache: PlanGuard = (draft, environment) => {
  const policy = Cache.of(draft);
  if (!policy) return undefined;
  // Prompts and resources only read. A tool must say that it only reads.
  if (factsOf(draft).hasHints && draft.annotations.readOnlyHint !== true) {
    if (policy.origin === 'method') throw notReadOnly(draft);
    return undefined;
  }
  const { ttlMs, entries } = policy.options;
  const kept = resultKeeper(environment, entries);
  return {
    origin: policy.origin,
    detail: `${ttlMs} ms, ${entries} results`,
    step(call, next) {
      // What one caller got, another may not see (server/utilities/caching, cacheScope). This is also true
      // for callers that differ only in a scope or a claim, because the method may have read it. The key is a
      // digest, because arguments may be sensitive, and long.
      const contract = 'contract' in call.operation ? call.operation.contract : '';
      const asked = hash('sha256', canonicalJson([call.given, call.request.uri]), 'base64url');
      const key = `${operationKey(call.operation)} ${contract} ${principalDigest(call.request.principal)} ${asked}`;
      return after(
        () => kept.get(key) as MaybePromise<Result | undefined>,
        (found) => found ?? run(call, next, (result) => kept.set(key, result, ttlMs)),
      );
    },
  };
};

function run(call: ActiveCall, next: Next<unknown>, keep: (result: Result) => void): MaybePromise<Result> {
  return after(
    () => next() as MaybePromise<Result>,
    (result) => {
      if (!result.isError && !call.pending) keep(result);
      return result;
    },
  );
}

function notReadOnly(draft: AnyDraft): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_POLICY_INVALID',
      message: `The tool "${draft.name}" has @Cache but may change something: repeated calls would not run.`,
      fix: 'Add annotations: { readOnlyHint: true } if it only reads. Otherwise remove @Cache.',
      ...locationOf(draft),
    },
  ]);
}

/**
 * Returns the earlier result of the same call. Only the same principal gets it, because another one may not
 * see it.
 */
export const cacheGuard: Guard = {
  name: 'cache',
  position: 130,
  summary: 'Gives the earlier result of the same call to the same principal.',
  decorators: { Cache },
  plan: planCache,
};
