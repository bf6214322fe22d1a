import { APP_MIME_TYPE, type ToolUi } from '@toolwright/ground/base/app-settings';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import type { PolicyMap } from '@toolwright/ground/base/metadata/store';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import { type Located, locationOf } from '@toolwright/ground/call/operation/draft';
import {
  type Identified,
  addressOf,
  operationKey,
  writtenAudience,
} from '@toolwright/ground/call/operation/keys';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import { getOrMake, lazily, UriTemplate } from '@toolwright/json';
import { Concurrency, type ConcurrencyOptions } from '../../policies/concurrency.js';
import { findAppUriProblem, findTemplateProblem } from './check-app.js';

type Named = Identified &
  Located &
  Partial<Pick<BoundOperation, 'versionOf' | 'audience'>> & {
    readonly extra?: { readonly origin?: string } | undefined;
  };

/** Reports every operation whose key an earlier operation for the same callers already has. */
export function findDuplicates(operations: readonly Named[]): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  // Grouped by kind, so that no key has to be built for each of a thousand operations.
  const seen = new Map<Named['kind'], Map<string, Named[]>>();
  operations.forEach((operation) => {
    const known = getOrMake(seen, operation.kind, newMap);
    const { versionOf } = operation;
    const plain = versionOf === undefined ? [] : named(known, versionOf).filter((each) => !each.versionOf);
    const first = [...named(known, addressOf(operation)), ...plain].find((each) =>
      isForSome(each, operation),
    );
    if (first) problems.push(duplicateOf(operation, first));
    // The newest version has the bare name, so that a tool without a version cannot have it.
    for (const name of versionOf === undefined ? [addressOf(operation)] : [addressOf(operation), versionOf])
      known.set(name, [...named(known, name), operation]);
  });
  return problems;
}

const newMap = () => new Map<string, Named[]>();
const named = (known: ReadonlyMap<string, Named[]>, name: string): readonly Named[] => known.get(name) ?? [];

/** False for two operations that are each for callers of their own, which only a call can show. */
export function isForSome(one: Pick<Named, 'audience'>, other: Pick<Named, 'audience'>): boolean {
  const [whom, others] = [writtenAudience(one), writtenAudience(other)];
  return !whom || !others || whom === others;
}

export function duplicateOf(operation: Named, first: Named): ConfigurationProblem {
  const { location } = locationOf(first);
  const origins = [first, operation].flatMap(({ extra }) => extra?.origin ?? []);
  const from = origins.length > 0 ? ` One of them is from ${origins[0]}.` : '';
  return {
    code: 'TW_NAME_DUPLICATE',
    message: `There is a ${factsOf(operation).noun} "${addressOf(operation)}" already${location ? `, at ${location}` : ''}.${from}`,
    fix: 'Give one of them another name, or remove it.',
    ...locationOf(operation),
  };
}

/** The parts of an operation that say which slots it shares. */
type Limited = Identified & Located & { readonly policies: PolicyMap };

/**
 * Reports operations that share the slots of a group but have different limits.
 *
 * @param operations the operations to add
 * @param others returns the existing operations; one with the same key is replaced and does not count
 */
export function findGroupConflicts(
  operations: readonly Limited[],
  others: () => readonly Limited[] = () => [],
): ConfigurationProblem[] {
  const added = lazily(() => new Set(operations.map(operationKey)));
  const first = new Map<string, Limited>();
  return operations.flatMap((operation) => {
    const group = optionsOf(operation)?.group;
    if (group === undefined) return [];
    // The existing members agree, so one of them is enough.
    const isMember = (other: Limited) =>
      optionsOf(other)?.group === group && !added().has(operationKey(other));
    const known = getOrMake(first, group, () => others().find(isMember) ?? operation);
    return describe(known) === describe(operation) ? [] : [conflict(group, operation, known)];
  });
}

function optionsOf(operation: Limited): ConcurrencyOptions | undefined {
  return operation.policies.size === 0 ? undefined : Concurrency.of(operation)?.options;
}

function describe(operation: Limited): string {
  const { max, per, queue } = optionsOf(operation)!;
  return `max: ${max}, per: '${per}', queue: ${queue}`;
}

function conflict(group: string, operation: Limited, first: Limited): ConfigurationProblem {
  const { location } = locationOf(first);
  return {
    code: 'TW_POLICY_INVALID',
    message: `The ${operation.kind} "${operation.name}" is in the concurrency group "${group}" with ${describe(operation)}, and the ${first.kind} "${first.name}"${location ? ` at ${location}` : ''} with ${describe(first)}.`,
    fix: 'Give all members of a group the same options, or one of them another group.',
    ...locationOf(operation),
  };
}

/** The parts of an operation that say which app it is, or which app it links to. */
type Offered = Pick<BoundOperation, 'kind' | 'name'> &
  Located & {
    readonly uri?: string;
    readonly uriTemplate?: string;
    readonly mimeType?: string;
    readonly ui?: object;
  };

/**
 * Reports tools that link to an app that the server does not offer. The extension requires that the app
 * exists, and a host would only find out when it wants to show the app.
 *
 * @param operations the operations to add
 * @param offered returns everything that the server will offer, including these
 */
export function findUnservedApps(
  operations: readonly Offered[],
  offered: () => readonly Offered[],
): ConfigurationProblem[] {
  // Few tools link to an app. For all others, nothing is searched: a tool costs the same to add to ten as to thousands.
  const apps = lazily(() => appsAmong(offered()));
  return operations.flatMap((operation) => {
    const { kind, name, ui } = operation;
    const wanted = kind === 'tool' ? (ui as ToolUi | undefined)?.resourceUri : undefined;
    if (wanted === undefined || findAppUriProblem(wanted) || isServed(wanted, apps())) return [];
    const served = apps()
      .map(({ uri, uriTemplate }) => uri ?? uriTemplate)
      .join(', ');
    return [
      {
        code: 'TW_APP_UNKNOWN',
        message: `The tool "${name}" names the app "${wanted}", which the server does not serve. Apps: ${served || 'none'}.`,
        fix: `Decorate a method of a listed service with @McpApp({ uri: '${wanted}' }), or correct the tool's option ui.`,
        ...locationOf(operation),
      },
    ];
  });
}

export function appsAmong<O extends Offered>(offered: readonly O[]): O[] {
  return offered.filter(({ kind, mimeType }) => kind !== 'tool' && mimeType === APP_MIME_TYPE);
}

export function isServed(wanted: string, apps: readonly Offered[]): boolean {
  return apps.some((app) => serves(app, wanted));
}

function serves({ uri, uriTemplate }: Offered, wanted: string): boolean {
  if (uriTemplate === undefined) return uri === wanted;
  // A template with problems is reported elsewhere.
  return (
    !findTemplateProblem(uriTemplate, undefined) && new UriTemplate(uriTemplate).match(wanted) !== undefined
  );
}
