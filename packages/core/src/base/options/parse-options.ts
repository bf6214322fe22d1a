import { ConfigurationError, type ConfigurationProblem } from '../errors/configuration-error.js';
import { findOptionFaults } from './find-option-faults.js';
import { withDefaults, type AnyOptionSchema, type OptionFault, type WithDefaults } from './option-schema.js';

/**
 * Reads options from outside: checks them at every depth and fills in the defaults.
 *
 * @param owner whose options they are, such as `mcpExpress`
 * @throws {ConfigurationError} with all problems
 */
export function parseOptions<Options extends object, Schema extends AnyOptionSchema>(
  owner: string,
  schema: Schema,
  options: Options,
): WithDefaults<Options, Schema> {
  const faults = findOptionFaults(schema, options, { owner });
  if (faults.length > 0) throw new ConfigurationError(faults.map(optionProblem));
  return withDefaults(schema, options);
}

export function optionProblem(fault: OptionFault): ConfigurationProblem {
  return { code: 'TW_OPTION_INVALID', ...fault };
}
