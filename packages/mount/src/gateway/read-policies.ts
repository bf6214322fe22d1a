import { isObject } from '@toolwright/json';
import {
  Concurrency,
  Confirm,
  MaxOutput,
  RateLimit,
  RequireScopes,
  Timeout,
  type ToolAnnotations,
} from '@toolwright/core';
import type { MountPolicy } from '../options.js';

type Entry = [name: string, entry: { readonly options: unknown }];

/** What decorators would set, by the name that a configuration file uses. */
const POLICIES: Readonly<Record<string, (value: never) => Entry>> = {
  rateLimit: (value) => RateLimit.entry(value),
  concurrency: (value) => Concurrency.entry(value),
  timeout: (value) => Timeout.entry(value),
  maxOutput: (value) => MaxOutput.entry(value),
  confirm: (value: unknown) => Confirm.entry(...((value === true ? [] : [value]) as [])),
  requireScopes: (value: unknown) => RequireScopes.entry(...([value].flat() as [string])),
};

export const POLICY_NAMES = ['annotations', ...Object.keys(POLICIES)];

/**
 * The guards of one pattern, from JSON.
 *
 * @param wrong hears what is wrong with a member
 */
export function readPolicy(value: unknown, wrong: (member: string, message: string) => void): MountPolicy {
  if (!isObject(value)) {
    wrong('', `A policy must be an object, with ${POLICY_NAMES.join(', ')}.`);
    return {};
  }
  const { annotations, ...members } = value;
  const policies = Object.entries(members).flatMap(([member, given]): Entry[] => {
    const make = POLICIES[member];
    if (!make) {
      wrong(member, `There is no policy "${member}". Policies are: ${POLICY_NAMES.join(', ')}.`);
      return [];
    }
    try {
      const entry = make(given as never);
      // It is parsed when it is first read. Somebody should hear of a mistake before a tool is missing.
      void (entry[1].options as { options: unknown }).options;
      return [entry];
    } catch (error) {
      wrong(member, problemsOf(error).join(' '));
      return [];
    }
  });
  const isWrong = annotations !== undefined && !isObject(annotations);
  if (isWrong) wrong('annotations', '"annotations" must be an object, such as { "readOnlyHint": true }.');
  return {
    ...(isObject(annotations) && { annotations: annotations as ToolAnnotations }),
    policies: policies as never,
  };
}

/** What an error of options says, a sentence for each problem. */
export function problemsOf(error: unknown): string[] {
  const { problems, message } = error as {
    problems?: readonly { message: string; fix: string }[];
    message: string;
  };
  return problems ? problems.map((each) => each.message) : [message];
}
