import { ConfigurationError } from '../base/errors/configuration-error.js';
import type { PolicyValue } from './policy-value.js';

/**
 * Parses the options of a policy now. Otherwise they are parsed when they are first read.
 *
 * @param where the class and the method that have the policy, for people
 * @returns the problems; undefined when there are none
 */
export function readPolicy(name: string, value: PolicyValue, where: string): ConfigurationError | undefined {
  try {
    void value.options;
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    const message = `The policy ${name} of ${where}: ${(error as Error).message}`;
    return new ConfigurationError([{ code: 'TW_POLICY_INVALID', message, fix: 'Correct the decorator.' }]);
  }
}
