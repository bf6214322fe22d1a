import type { JsonSchema } from '@toolwright/json';
import {
  ConfigurationError,
  type ConfigurationProblem,
  problemsAt,
} from '../../base/errors/configuration-error.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import { type OperationKind, factsOf } from '../../base/operation-kinds.js';
import { type AnyDraft, type Draft, locationOf } from '../../call/operation/draft.js';
import type { BoundOperation, Complete, OfKind } from '../../call/operation/operation.js';
import { describeServer } from '../../wire/definitions.js';
import type { ServerInfo } from '../../requests/engine.js';
import { revision20260728 } from '../../wire/revisions/2026-07-28.js';
import { type Report, checkPatterns } from '../checks/check-schema.js';
import { findHiddenText, showHidden } from '../checks/find-hidden-text.js';
import type { DecoratedKind } from '../classes/service.js';
import type { BoundMethod } from '../services/bound-service.js';
import type { CompletionResolver } from './completions.js';
import { findPolicyProblems } from './draft-base.js';
import type { KindRecord } from './kind-record.js';
import { promptKind } from './prompt.js';
import { resourceTemplateKind } from './resource-template.js';
import { draftApp, resourceKind } from './resource.js';
import { toolKind } from './tool.js';

/** The records of all kinds of operations. */
export const kinds = {
  tool: toolKind,
  prompt: promptKind,
  resource: resourceKind,
  resourceTemplate: resourceTemplateKind,
} satisfies { readonly [K in OperationKind]: KindRecord<OfKind<K>, never, never> };

/** What `add` takes for a kind. */
export type DefinitionOf<K extends OperationKind> = Parameters<(typeof kinds)[K]['define']>[0];

/** The record of any kind. Whoever uses it passes on what belongs to the same kind. */
export function kindRecordOf(kind: OperationKind): KindRecord<OfKind<OperationKind>, never, never> {
  return kinds[kind] as unknown as KindRecord<OfKind<OperationKind>, never, never>;
}

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

/**
 * The names that can be published. The specification allows 128 characters and `/`, but some clients do not.
 */
const validName = /^[A-Za-z0-9_.-]{1,64}$/;

type UncheckedDraft = Draft<BoundOperation> & { kind: BoundOperation['kind'] };

/**
 * Finds everything in an operation that must not be published, or because of which clients would ignore it.
 *
 * @param problems the found problems are added here
 * @param inputs schema of the arguments, for kinds that do not publish one
 */
export function checkOperation(
  draft: UncheckedDraft,
  problems: ConfigurationProblem[],
  inputs?: JsonSchema,
): void {
  const report = (code: ConfigurationProblem['code'], message: string, fix: string) =>
    problems.push({ code, message, fix, ...locationOf(draft) });
  checkTexts(draft, report);
  if (inputs && !factsOf(draft).publishesSchemas)
    checkPatterns({ what: 'arguments', draft: draft as AnyDraft }, inputs, report);
  kindRecordOf(draft.kind).check?.(draft as never, report, inputs);
}

function checkTexts(draft: UncheckedDraft, report: Report): void {
  const { kind, name } = draft;
  if (factsOf(draft).address === 'name' && !validName.test(name)) {
    report(
      'TW_NAME_INVALID',
      `"${showHidden(name)}" cannot name a ${kind}.`,
      'Use 1 to 64 of the characters A-Z a-z 0-9 _ . -',
    );
  }
  for (const { place, character } of findHiddenText(publishedForm(draft as AnyDraft))) {
    report(
      'TW_TEXT_HIDDEN',
      `The ${kind} "${showHidden(name)}" has the hidden character ${character} in its ${place}.`,
      'Remove it, because models read it and reviewers cannot see it.',
    );
  }
}

/** The revision that publishes most. Older ones publish a part of it. */
const { features } = revision20260728;

/** Everything that clients learn about an operation before they use it. */
function publishedForm(draft: AnyDraft): unknown {
  const form = kindRecordOf(draft.kind).publish(draft as never, features);
  return 'complete' in draft ? { ...form, completions: fixedValues(draft) } : form;
}

/** Everything that clients learn about the server itself. */
export function publishedServer({ instructions, ...info }: ServerInfo & { instructions?: string }): unknown {
  return { ...describeServer(info, features), instructions };
}

/** The completions that are known without a call. */
function fixedValues({ complete }: { complete: Readonly<Record<string, Complete>> }): unknown {
  return Object.entries(complete).map(([argument, { values }]) => ({ argument, values }));
}
