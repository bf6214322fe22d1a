import 'reflect-metadata';
import type { CallSite } from '@toolwright/ground/base/metadata/call-site';
import {
  collectRecords,
  type ClassRecords,
  type MethodRecords,
} from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import { isOperationKind, type OperationKind } from '@toolwright/ground/base/operation-kinds';

/** The decorators that turn a method into something that the server offers. */
export type DecoratedKind = OperationKind | 'app';

/** A decorated method, and the operations that it is. */
export interface DecoratedMethod extends MethodRecords {
  readonly offered: readonly (DecoratorRecord & { readonly kind: DecoratedKind })[];
}

/** A service class as its decorators describe it. */
export interface Service {
  readonly target: AnyClass;
  /** The name for messages. */
  readonly name: string;
  readonly records: ClassRecords;
  readonly operations: readonly DecoratedMethod[];
  /** True when one of its methods is run by a package. */
  readonly hasBackground: boolean;
  /** The place of a decorator on the class itself, if it has one. */
  readonly site: CallSite | undefined;
}

/** Collects what the decorators of a class and of its base classes recorded. */
export function describeService(target: AnyClass): Service {
  const records = collectRecords(target);
  const operations = [...wholeClass(records), ...records.methods.map(asOperation)].filter(
    ({ offered }) => offered.length > 0,
  );
  const [site] = sitesOf(records);
  const hasBackground = runsInBackground(records);
  return { target, name: target.name || 'an anonymous class', records, operations, hasBackground, site };
}

/**
 * True for a class that a server can use: it or one of its methods has a decorator such as `@McpTool`, or one of a package
 * that runs the method, or it inherits one.
 */
export function offersOperations(target: AnyClass): boolean {
  const { operations, hasBackground } = describeService(target);
  return operations.length > 0 || hasBackground;
}

/** True when a package runs one of its methods. */
export function runsInBackground({ methods }: ClassRecords): boolean {
  return methods.some(({ records }) => records.some(({ kind }) => kind === 'background'));
}

/** True when an argument of the method has a `@CompletionProvider`. */
export function hasCompletions({ records, parameters }: MethodRecords): boolean {
  const isCompletion = ({ kind }: DecoratorRecord) => kind === 'completion';
  return records.some(isCompletion) || [...parameters.values()].some((own) => own.some(isCompletion));
}

/** The emitted types of a method's parameters. For an inherited method, those of the base class. */
export function emittedTypes(
  target: AnyClass,
  { method, static: isStatic }: MethodRecords,
): readonly unknown[] | undefined {
  const holder = isStatic ? target : target.prototype;
  return Reflect.getMetadata('design:paramtypes', holder, method) as readonly unknown[] | undefined;
}

/** The places of the decorators of a class and of its methods. Those of the class come first. */
export function* sitesOf({ records, methods }: ClassRecords): Generator<CallSite> {
  for (const { site } of records) yield site;
  for (const method of methods) for (const { site } of method.records) yield site;
}

function asOperation({ method, static: isStatic, records, parameters }: MethodRecords): DecoratedMethod {
  // Most methods have only this one decorator. A filtered copy for each of a thousand methods is avoided.
  const offered = records.every(isOffered) ? records : records.filter(isOffered);
  return { method, static: isStatic, records, parameters, offered };
}

/** An operation decorator on a class means its `invoke` method. */
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

function isOffered(record: DecoratorRecord): record is DecoratorRecord & { kind: DecoratedKind } {
  return record.kind === 'app' || isOperationKind(record.kind);
}
