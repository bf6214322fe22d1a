import type { KindCollections, OperationKind } from '../../base/operation-kinds.js';
import type { OfKind } from '../../call/operation/operation.js';
import type { KindRecord } from '../kinds/kind-record.js';
import { promptKind } from '../kinds/prompt.js';
import { resourceTemplateKind } from '../kinds/resource-template.js';
import { resourceKind } from '../kinds/resource.js';
import { toolKind } from '../kinds/tool.js';
import type { OperationCollection } from './operation-collection.js';

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

export type CollectionOf<K extends OperationKind> = OperationCollection<OfKind<K>, DefinitionOf<K>>;

/** The operations of a running server. A kind has a line in the table above, and two in this class. */
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
