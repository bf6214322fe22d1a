import type { OperationKind } from '../../base/operation-kinds.js';
import type { OfKind } from '../../call/operation/operation.js';
import type { KindRecord } from './kind-record.js';
import { promptKind } from './prompt.js';
import { resourceTemplateKind } from './resource-template.js';
import { resourceKind } from './resource.js';
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
