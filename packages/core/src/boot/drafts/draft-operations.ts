import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Draft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { checkOperation } from '../checks/check-operation.js';
import type { CompletionResolver } from './completions.js';
import { draftApp } from './draft-app.js';
import { findPolicyProblems } from './draft-base.js';
import { draftPrompt } from './draft-prompt.js';
import { draftResource, draftResourceTemplate } from './draft-resource.js';
import { draftTool } from './draft-tool.js';
import type { OperationKind } from '../services/service.js';

const draftAs: Record<
  OperationKind,
  (method: BoundMethod, record: DecoratorRecord<never>, resolve: CompletionResolver) => Draft<BoundOperation>
> = {
  tool: draftTool,
  prompt: draftPrompt,
  resource: draftResource,
  resourceTemplate: draftResourceTemplate,
  app: draftApp,
};

/**
 * Makes a draft of every operation that a method is. Most methods are one operation, but a tool may be a
 * prompt, too.
 */
export function draftOperations(method: BoundMethod, { resolve, drafts, problems }: DraftCollector): void {
  const wrong = findPolicyProblems(method);
  problems.push(...wrong);
  if (wrong.length > 0) return;
  for (const record of method.method.offered) {
    const draft = draftAs[record.kind](method, record as DecoratorRecord<never>, resolve);
    checkOperation(draft, problems, method.input);
    drafts.push(draft);
  }
}

/** Collects drafts and their problems, and finds completions. */
interface DraftCollector {
  readonly resolve: CompletionResolver;
  readonly drafts: Draft<BoundOperation>[];
  readonly problems: ConfigurationProblem[];
}
