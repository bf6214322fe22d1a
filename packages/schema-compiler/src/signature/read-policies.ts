import type { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import { toJsonDefault } from '../defaults/to-json-default.js';
import type { FoundDecorator } from '../discover/find-decorators.js';
import { isOperation } from './read-declared.js';

/** A decorator of core that may be a policy, with its arguments. */
export interface DeclaredPolicy {
  /** The name that core exports, such as `RateLimit`. */
  decorator: string;
  arguments: unknown[];
}

/**
 * Reads the decorators that are no operation decorators. It leaves out those with an argument that is
 * computed at run time.
 */
export function readPolicies(
  decorators: readonly FoundDecorator[],
  checker: ts.TypeChecker,
): DeclaredPolicy[] {
  return decorators.flatMap(({ name, arguments: written }) => {
    const folded = written.map((argument) => foldConstant(argument, checker));
    if (isOperation(name) || folded.includes(undefined)) return [];
    return [{ decorator: name, arguments: folded.map((each) => toJsonDefault(each!.value)) }];
  });
}
