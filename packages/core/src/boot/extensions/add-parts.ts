import { ConfigurationError } from '../../base/errors/configuration-error.js';
import type { AnyOptionSchema } from '../../base/options/option-schema.js';
import type { Environment } from '../../call/environment.js';
import { withBareName } from '../../call/operation/bare-name.js';
import type { Planned } from '../../call/operation/operation.js';
import type { BuiltInGuard, Guard } from '../../policies/guard.js';
import { addGuards, guardsOf } from '../../policies/guards.js';
import type { Additions } from '../../requests/additions.js';
import type { BackgroundMethods } from '../../tasks/background-methods.js';
import { isOwnMethod } from '../../wire/revisions.js';
import type { ExtensionParts } from './extension.js';

/** What of a server gets the parts of a package. */
export interface AddsTo {
  readonly environment: Environment;
  readonly additions: Additions;
  readonly background: BackgroundMethods;
  /** Plans all chains again, with the guards that were added. */
  replan(): void;
}

/**
 * Adds all parts of a package, or none.
 *
 * @throws {ConfigurationError} when something is there already
 */
export function addParts(name: string, parts: ExtensionParts, to: AddsTo): void {
  const { guards = [], context = {}, background, state, operator, approve } = parts;
  const { environment, additions, background: runs } = to;
  const present = guardsOf(environment.options);
  failOnTaken(name, [
    ...guards.flatMap((guard) => takenPlace(guard, present)),
    ...additions.findTaken(parts, isOwnMethod),
    ...Object.keys(context)
      .filter((member) => !environment.contexts.isFree(member))
      .map((member) => `the member "${member}" of ToolContext`),
    ...Object.keys(state ?? {})
      .filter((list) => additions.hasState(list))
      .map((list) => `the list "${list}" of the state`),
    ...Object.keys(operator ?? {})
      .filter((method) => additions.operatorMethods().has(method))
      .map((method) => `the method "${method}" for operators`),
    ...(background && runs.has(background.noun)
      ? [`background methods with the noun "${background.noun}"`]
      : []),
    ...(approve && environment.approvals.ask ? ['the page on which people approve calls'] : []),
    ...additions
      .described(Object.keys(parts.describe ?? {}))
      .map((tool) => `what lists say of the tool "${tool}"`),
    ...(parts.forward && additions.forwards ? ['what forwards calls of tools'] : []),
  ]);
  if (approve) environment.approvals.ask = approve;
  environment.contexts.add(context);
  additions.add(parts);
  if (background) runs.addSource(background);
  if (guards.length === 0) return;
  addGuards(environment.options, guards.map(asBuiltIn));
  to.replan();
}

/** A rule of a package is about all versions of a tool. */
function asBuiltIn({ plan, planCompletion, visible, ...guard }: Guard): BuiltInGuard {
  return {
    ...guard,
    ...(visible && { visible: (operation, ...rest) => visible(withBareName(operation), ...rest) }),
    ...(plan && { plan: (draft) => plan(withBareName(draft as Planned)) }),
    ...(planCompletion && { planCompletion: (draft) => planCompletion(withBareName(draft as Planned)) }),
  };
}

function takenPlace({ name, position }: Guard, present: readonly BuiltInGuard[]): string[] {
  return present.flatMap((guard) => {
    if (guard.name === name) return [`the guard "${name}"`];
    return guard.position === position
      ? [`the position ${position}, which the guard "${guard.name}" has`]
      : [];
  });
}

/** The options that a package adds although they are there. */
export function taken(
  what: string,
  wanted: AnyOptionSchema,
  present: AnyOptionSchema,
  where: string,
): string[] {
  return Object.keys(wanted)
    .filter((key) => Object.hasOwn(present, key))
    .map((key) => `the ${what} "${key}"${where}`);
}

/** @throws {ConfigurationError} when a package adds something that is there */
export function failOnTaken(name: string, all: readonly string[]): void {
  if (all.length === 0) return;
  throw new ConfigurationError(
    all.map((what) => ({
      code: 'TW_EXTENSION_INVALID',
      message: `The package ${name} adds ${what}, and this server has it already.`,
      fix: `Use only one of the packages that add it, or a version of ${name} that fits this version of @toolwright/core.`,
    })),
  );
}

/** The settings of the second one would count for nothing. */
export function addedTwice(name: string): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_EXTENSION_INVALID',
      message: `${name} is added to this server a second time, with settings of its own, and only the first ones would count.`,
      fix: 'Add it once, with settings for all that the server does.',
    },
  ]);
}
