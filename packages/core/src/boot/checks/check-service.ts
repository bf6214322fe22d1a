import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { findRecord, lineage } from '@toolwright/ground/base/metadata/class-records';
import {
  type AnyClass,
  type DecoratorRecord,
  isSamePlace,
  ownRecords,
} from '@toolwright/ground/base/metadata/store';
import { type OperationKind, factsOf, operationKinds } from '@toolwright/ground/base/operation-kinds';
import { type AnyDraft, type Draft, locationOf } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { ManifestEntry } from '@toolwright/manifest';
import 'reflect-metadata';
import { type PolicyValue, isPolicyValue, policyValues } from '../../policies/define-policy.js';
import type { DecoratedKind, DecoratedMethod, Service } from '../classes/service.js';
import { BUILD, type ClassEntry } from '../manifest/loaded-manifest.js';

/**
 * Reports a manifest that was compiled from another version of the running class: with other decorated
 * methods, or other parameters. It compares the values behind the hash in `ManifestEntry.shape`. That is
 * faster than hashing them again, and shows what differs.
 */
export function checkShape(service: Service, match: ClassEntry): ConfigurationProblem | undefined {
  const differences = findDifferences(service, match);
  if (differences.length === 0) return undefined;
  return problemAt(service.site, 'TW_MANIFEST_STALE', {
    message: `${match.manifest.source} describes another version of ${service.name}: ${differences.join('; ')}.`,
    fix: BUILD,
  });
}

function findDifferences({ target, operations }: Service, { entry, entries }: ClassEntry): string[] {
  const found: string[] = [];
  const met = new Set<ManifestEntry>();
  for (const operation of operations) {
    const known = entry(operation);
    if (!known) {
      found.push(`${operation.method} is not in it`);
      continue;
    }
    met.add(known);
    const expected = known.parameters.length;
    const arity = arityOf(target, operation, expected);
    if (arity !== expected) found.push(`${operation.method} takes ${arity} parameters, not ${expected}`);
  }
  for (const each of entries) if (!met.has(each)) found.push(`${each.method} is no longer decorated`);
  return found;
}

/** The number of a method's parameters, as far as the running class shows it. */
function arityOf(target: AnyClass, { method, static: isStatic }: DecoratedMethod, expected: number): number {
  const holder = (isStatic ? target : target.prototype) as Record<string, { length: number } | undefined>;
  // Most methods are on the class itself, so this is tried first. Searching the prototype chain takes twice
  // as long.
  const emitted = (Reflect.getOwnMetadata(EMITTED, holder, method) ??
    Reflect.getMetadata(EMITTED, holder, method)) as readonly unknown[] | undefined;
  const required = holder[method]?.length ?? 0;
  // `length` ends at the first default, and is 0 for methods that another decorator wrapped. So it can only
  // show a difference, not equality.
  return emitted?.length ?? Math.max(required, expected);
}

const EMITTED = 'design:paramtypes';

/** Reports decorators that are written twice at one place, because only one of them could apply. */
export function findRepeated({ target, name }: Service): ConfigurationProblem[] {
  return lineage(target).flatMap((each) =>
    ownRecords(each)
      .filter(isRepeated)
      .map((record) => repeated(record, name)),
  );
}

/** The records of one place follow each other. */
function isRepeated(record: DecoratorRecord, index: number, records: readonly DecoratorRecord[]): boolean {
  for (let before = index - 1; before >= 0; before--) {
    const other = records[before]!;
    if (!isSamePlace(other.place, record.place)) return false;
    if (excludes(other, record)) return true;
  }
  return false;
}

function excludes(first: DecoratorRecord, second: DecoratorRecord): boolean {
  const isSameKind = first.kind === second.kind && first.name === second.name;
  return isSameKind && !second.combine && second.kind !== 'completion';
}

function repeated(
  { kind, name: policy, place, site }: DecoratorRecord,
  className: string,
): ConfigurationProblem {
  const member = place.on === 'class' ? className : `${className}.${place.method ?? 'constructor'}`;
  return problemAt(site, 'TW_DECORATOR_REPEATED', {
    message: `${member} has two decorators of the kind ${policy || kind}; only one can apply.`,
    fix: 'Remove one of them, or decorate a second method.',
  });
}

/**
 * Reports `@Inject` on parameters of methods that the server does not call, because nothing would be injected
 * there.
 */
export function findStrayInjections({ name, records, operations }: Service): ConfigurationProblem[] {
  const called = new Set(operations.map(({ method }) => method));
  return records.methods
    .filter(({ method }) => !called.has(method) && method !== 'complete')
    .flatMap(({ method, parameters, records: own }) =>
      [['', own] as const, ...parameters].flatMap(([index, found]) => {
        const record = findRecord(found, index === '' ? 'injections' : 'inject');
        if (!record) return [];
        const place = index === '' ? 'on' : `before parameter ${index} of`;
        return problemAt(record.site, 'TW_DECORATOR_PLACE', {
          message: `@Inject is ${place} ${name}.${method}, but this method is no tool, prompt or resource, so the container would not inject it.`,
          fix: 'Take it in the constructor, or decorate the method with @McpTool, @McpPrompt or the like.',
        });
      }),
    );
}

/** The kind of operation that an operation decorator creates. */
export function kindOf(decorated: DecoratedKind): OperationKind {
  return decorated === 'app' ? 'resource' : decorated;
}

/**
 * Reports policies without effect: on a method of another kind or of none, or on a class without a method of their
 * kinds.
 */
export function findMisplacedPolicies({ name, records, operations }: Service): ConfigurationProblem[] {
  const kinds = operations.flatMap(({ offered }) => offered.map(({ kind }) => kindOf(kind)));
  const misplaced = (where: string, own: readonly DecoratorRecord[], offered: readonly OperationKind[]) =>
    own.flatMap((record) => {
      const value = policyOf(record);
      if (!value || offered.some((kind) => value.appliesTo(kind))) return [];
      const { message, fix } = explain(record.name, value, where);
      return [problemAt(record.site, 'TW_POLICY_MISPLACED', { message, fix })];
    });
  const called = new Set(operations.map(({ method }) => method));
  // The extension of a background method says what does nothing there.
  const uncalled = records.methods.filter(
    ({ method, records: own }) => !called.has(method) && !findRecord(own, 'background'),
  );
  const withPolicies = operations.filter(({ records: own }) => own.some(({ kind }) => kind === 'policy'));
  return [
    ...misplaced(`the class ${name}, where no method is`, records.records, kinds),
    ...withPolicies.flatMap(({ method, records: own, offered }) =>
      misplaced(
        `${name}.${method}, which is not`,
        // If the whole class is one operation, its decorators are reported with the class.
        own.filter(({ place }) => place.on === 'method'),
        offered.map(({ kind }) => kindOf(kind)),
      ),
    ),
    ...uncalled.flatMap(({ method, records: own }) =>
      own.filter(policyOf).map((record) =>
        problemAt(record.site, 'TW_POLICY_MISPLACED', {
          message: `The policy "${record.name}" would do nothing on ${name}.${method}, because this method is no tool, prompt or resource.`,
          fix: 'Remove its decorator, or decorate the method with @McpTool, @McpPrompt or the like.',
        }),
      ),
    ),
  ];
}

/** The same for an operation that is added while the server runs. */
export function findMisplacedOn(draft: AnyDraft): ConfigurationProblem[] {
  if (draft.policies.size === 0) return [];
  return policyValues(draft.policies)
    .filter(({ value }) => !value.appliesTo(draft.kind))
    .map(({ name, value }) => ({
      code: 'TW_POLICY_MISPLACED',
      ...explain(name, value, `the ${draft.kind} "${draft.name}", which is not`),
      ...locationOf(draft),
    }));
}

function policyOf({ kind, options }: DecoratorRecord): PolicyValue | undefined {
  return kind === 'policy' && isPolicyValue(options) ? options : undefined;
}

function explain(policy: string, { definition }: PolicyValue, where: string) {
  const kinds =
    (definition.appliesTo ?? []).map((kind) => operationKinds[kind].plural).join(' and ') || 'nothing';
  return {
    message: `The policy "${policy}" is only for ${kinds}. It would do nothing on ${where} one of these.`,
    fix: `Remove its decorator there, or write it on a method that is one of these.`,
  };
}

interface ClassPolicy {
  /** Whether the policy on a class skips tools with these annotations. */
  leavesOut(annotations: { readonly readOnlyHint?: boolean }): boolean;
  readonly what: string;
  readonly fix: string;
}

const classPolicies: Readonly<Record<string, ClassPolicy>> = {
  cache: {
    leavesOut: ({ readOnlyHint }) => readOnlyHint !== true,
    what: '@Cache on a class is not for tools without readOnlyHint: true',
    fix: 'Add annotations: { readOnlyHint: true } to the tools that only read, or remove @Cache.',
  },
  confirm: {
    leavesOut: ({ readOnlyHint }) => readOnlyHint === true,
    what: '@Confirm on a class is not for tools with readOnlyHint: true',
    fix: 'Remove it, or write it on the method that it is meant for.',
  },
};

/** Reports policies on a class that skip all its operations because of their annotations. */
export function findIdlePolicies(
  { name, records }: Service,
  drafts: readonly Draft<BoundOperation>[],
): ConfigurationProblem[] {
  return records.records.flatMap((record) => {
    const policy = record.kind === 'policy' ? classPolicies[record.name] : undefined;
    if (!policy) return [];
    const under = (drafts as readonly AnyDraft[]).filter(
      ({ policies }) => policies.get(record.name)?.origin === 'class',
    );
    const isIdle = under.every((draft) => factsOf(draft).hasHints && policy.leavesOut(draft.annotations));
    if (under.length === 0 || !isIdle) return [];
    const message = `${policy.what}. The class ${name} has only such tools, so the policy would do nothing.`;
    return [problemAt(record.site, 'TW_POLICY_MISPLACED', { message, fix: policy.fix })];
  });
}
