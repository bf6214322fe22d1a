import {
  ConfigurationError,
  problemsAt,
  type ConfigurationProblem,
} from '../../base/errors/configuration-error.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Draft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { checkOperation } from '../checks/check-operation.js';
import type { CompletionResolver } from './completions.js';
import { draftApp } from './draft-app.js';
import { findPolicyProblems } from './draft-base.js';
import type { KindRecord } from '../kinds/kind-record.js';
import { kindRecordOf } from '../kinds/kinds.js';
import type { DecoratedKind } from '../services/service.js';

/**
 * Makes a draft of every operation that a method is. Most methods are one operation, but a tool may be a
 * prompt, too.
 */
export function draftOperations(method: BoundMethod, { resolve, drafts, problems }: DraftCollector): void {
  const wrong = findPolicyProblems(method);
  problems.push(...wrong);
  if (wrong.length > 0) return;
  for (const record of method.method.offered) {
    try {
      const draft = draftAs(record.kind)(method, record as DecoratorRecord<never>, resolve);
      checkOperation(draft, problems, method.input);
      drafts.push(draft);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...problemsAt(error, record.site.location));
    }
  }
}

/** Collects drafts and their problems, and finds completions. */
interface DraftCollector {
  readonly resolve: CompletionResolver;
  readonly drafts: Draft<BoundOperation>[];
  readonly problems: ConfigurationProblem[];
}

function draftAs(kind: DecoratedKind) {
  return (kind === 'app' ? draftApp : kindRecordOf(kind).draft) as KindRecord<
    BoundOperation,
    never,
    never
  >['draft'];
}
