import {
  ConfigurationError,
  type ConfigurationProblem,
  problemsAt,
} from '@toolwright/ground/base/errors/configuration-error';
import { findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import { type KindCollections, type OperationKind, factsOf } from '@toolwright/ground/base/operation-kinds';
import type { Environment } from '@toolwright/ground/call/environment';
import { type AnyDraft, type Draft, locationOf } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation, OfKind } from '@toolwright/ground/call/operation/operation';
import { latestRevision } from '@toolwright/wire/revisions';
import { extraOfMethod, type AddedRules } from '../extensions/load-packages.js';
import { findHiddenText, type JsonSchema, showHidden } from '@toolwright/json';
import type { McpServiceOptions } from '../../decorators/mcp-service.js';
import type { DecoratedKind } from '../classes/service.js';
import type { CompletionResolver } from '../kinds/completions.js';
import { type Report, checkPatterns, findPolicyProblems, type KindRecord } from '../kinds/kind-record.js';
import { promptKind, type PromptDefinition } from '../kinds/prompt.js';
import { resourceTemplateKind, type ResourceTemplateDefinition } from '../kinds/resource-template.js';
import { draftApp, resourceKind, type ResourceDefinition } from '../kinds/resource.js';
import { toolKind, type ToolDefinition } from '../kinds/tool.js';
import type { BoundMethod } from '../services/bound-service.js';
import type { OperationCollection } from './operation-collection.js';

/** The records of all kinds of operations. */
export const kinds = {
  tool: toolKind,
  prompt: promptKind,
  resource: resourceKind,
  resourceTemplate: resourceTemplateKind,
} satisfies { readonly [K in OperationKind]: KindRecord<OfKind<K>, Definitions[K], never> };

/** What `add` takes for each kind. */
interface Definitions {
  readonly tool: ToolDefinition;
  readonly prompt: PromptDefinition;
  readonly resource: ResourceDefinition;
  readonly resourceTemplate: ResourceTemplateDefinition;
}

/** The record of any kind. Whoever uses it passes on what belongs to the same kind. */
export function kindRecordOf(kind: OperationKind): KindRecord<OfKind<OperationKind>, never, never> {
  return kinds[kind] as unknown as KindRecord<OfKind<OperationKind>, never, never>;
}

export type CollectionOf<K extends OperationKind> = OperationCollection<OfKind<K>, Definitions[K]>;

/** The operations of a running server. A kind has a line in each table above, and two in this class. */
export class OperationCollections implements CollectionsByName {
  readonly tools: CollectionOf<'tool'>;
  readonly prompts: CollectionOf<'prompt'>;
  /** The resources, by URI. */
  readonly resources: CollectionOf<'resource'>;
  /** The resource templates, by URI template. */
  readonly resourceTemplates: CollectionOf<'resourceTemplate'>;

  constructor(open: <K extends OperationKind>(kind: K) => CollectionOf<K>) {
    this.tools = open('tool');
    this.prompts = open('prompt');
    this.resources = open('resource');
    this.resourceTemplates = open('resourceTemplate');
  }
}

type CollectionsByName = { readonly [K in OperationKind as KindCollections[K]]: CollectionOf<K> };

/**
 * Makes a draft of every operation that a method is. Most methods are one operation, but a tool may be a
 * prompt, too.
 */
export function draftOperations(
  method: BoundMethod,
  { resolve, drafts, problems, extras }: DraftCollector,
): void {
  const wrong = findPolicyProblems(method);
  problems.push(...wrong);
  if (wrong.length > 0) return;
  const service = findRecord<McpServiceOptions>(method.bound.service.records.records, 'service');
  for (const record of method.method.offered) {
    try {
      const draft = draftAs(record.kind)(method, record as DecoratorRecord<never>, resolve);
      const extra = extraOfMethod(method.bound.service.records, record, extras);
      const audience = service?.options.for;
      Object.assign(draft, { ...(extra && { extra }), ...(audience && { audience }) });
      problems.push(...checkOperation(draft as AnyDraft, method.input));
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
  readonly extras: AddedRules;
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

/**
 * Finds everything in an operation that must not be published, or because of which clients would ignore it.
 *
 * @param inputs schema of the arguments, for kinds that do not publish one
 */
export function checkOperation(draft: AnyDraft, inputs?: JsonSchema): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const report: Report = (code, message, fix) => problems.push({ code, message, fix, ...locationOf(draft) });
  checkTexts(draft, report);
  if (inputs && !factsOf(draft).publishesSchemas) checkPatterns({ what: 'arguments', draft }, inputs, report);
  kindRecordOf(draft.kind).check?.(draft as never, report, inputs);
  return problems;
}

function checkTexts(draft: AnyDraft, report: Report): void {
  const { kind, name } = draft;
  if (factsOf(draft).address === 'name' && !validName.test(name)) {
    report(
      'TW_NAME_INVALID',
      `"${showHidden(name)}" cannot name a ${kind}.`,
      'Use 1 to 64 of the characters A-Z a-z 0-9 _ . -',
    );
  }
  // Everything that clients learn about an operation before they use it.
  const published = kindRecordOf(kind).publish(draft as never, features);
  // The completions that are known without a call. A tool has none, and a copy of each would take memory.
  const complete = 'complete' in draft ? Object.entries(draft.complete) : undefined;
  const completions = complete?.map(([argument, { values }]) => ({ argument, values }));
  for (const { place, character } of findHiddenText(
    completions ? { ...published, completions } : published,
  )) {
    report(
      'TW_TEXT_HIDDEN',
      `The ${kind} "${showHidden(name)}" has the hidden character ${character} in its ${place}.`,
      'Remove it, because models read it and reviewers cannot see it.',
    );
  }
}

/** The revision that publishes most. Older ones publish a part of it. */
const { features } = latestRevision;
/** Gives a draft the chain that its kind plans for it. @throws {ConfigurationError} */
export function planOperation(draft: Draft<BoundOperation>, environment: Environment): BoundOperation {
  return kindRecordOf(draft.kind).plan(draft as never, environment);
}
