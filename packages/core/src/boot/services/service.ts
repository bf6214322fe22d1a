import type { CallSite } from '../../base/metadata/call-site.js';
import { collectRecords, type ClassRecords, type MethodRecords } from '../../base/metadata/class-records.js';
import type { AnyClass, DecoratorRecord, RecordKind } from '../../base/metadata/store.js';

/** Decorators that make a method something the server offers. */
const operationKinds = [
  'tool',
  'prompt',
  'resource',
  'resourceTemplate',
  'app',
] as const satisfies readonly RecordKind[];
export type OperationKind = (typeof operationKinds)[number];

/** A decorated method, and which operations it is. */
export interface DecoratedMethod extends MethodRecords {
  readonly offered: readonly (DecoratorRecord & { readonly kind: OperationKind })[];
}

/** A service class as its decorators describe it. */
export interface Service {
  readonly target: AnyClass;
  /** For messages. */
  readonly name: string;
  readonly records: ClassRecords;
  readonly operations: readonly DecoratedMethod[];
  /** Of the class's own decorators, where there is one. */
  readonly site: CallSite | undefined;
}

/** Puts together what the decorators of a class and its bases recorded. */
export function describeService(target: AnyClass): Service {
  const records = collectRecords(target);
  const operations = [...wholeClass(records), ...records.methods.map(asOperation)].filter(
    ({ offered }) => offered.length > 0,
  );
  const [first] = sitesOf(records);
  return { target, name: target.name || 'an anonymous class', records, operations, site: first };
}

/** Where each decorator of a class and its methods was written, those of the class first. */
export function* sitesOf({ records, methods }: ClassRecords): Generator<CallSite> {
  for (const { site } of records) yield site;
  for (const method of methods) for (const { site } of method.records) yield site;
}

function asOperation({ method, static: isStatic, records, parameters }: MethodRecords): DecoratedMethod {
  // Of most methods, the one decorator is all there is: no list of its own for each of a thousand.
  const offered = records.every(isOffered) ? records : records.filter(isOffered);
  return { method, static: isStatic, records, parameters, offered };
}

/** An operation decorator on the class stands for its `invoke` method. */
function wholeClass({ records, methods }: ClassRecords): DecoratedMethod[] {
  const offered = records.filter(isOffered);
  if (offered.length === 0) return [];
  const invoke = methods.find(({ method, static: isStatic }) => method === 'invoke' && !isStatic);
  return [
    {
      method: 'invoke',
      static: false,
      parameters: new Map(),
      ...invoke,
      records: [...offered, ...(invoke?.records ?? [])],
      offered,
    },
  ];
}

function isOffered(record: DecoratorRecord): record is DecoratorRecord & { kind: OperationKind } {
  return (operationKinds as readonly string[]).includes(record.kind);
}
