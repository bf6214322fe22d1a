import type { ManifestClass } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';
import { validatedClasses } from '../../call/values/class-validator.js';
import { possibleNames } from './running-outline.js';

/**
 * In a bundle, a class that is the type of no parameter is known only to class-validator, by its name.
 *
 * @returns undefined also for a class without rules, because class-validator is not loaded for it
 */
export function classWithRules({
  name,
  mergeRuntime,
  validation = 'skip',
}: ManifestClass): AnyClass | undefined {
  if (!mergeRuntime && validation === 'skip') return undefined;
  const named = validatedClasses().filter((each) => possibleNames(each).includes(name.split('.').at(-1)!));
  return named.length === 1 ? named[0] : undefined;
}
