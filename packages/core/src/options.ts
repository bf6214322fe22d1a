// For packages that read options of their own: the rules by which core reads its own.
export {
  withDefaults,
  type AnyOptionSchema,
  type OptionProblem,
  type OptionPlace,
  type OptionRule,
  type OptionSchema,
  type OptionalRule,
  type RequiredRule,
  type CompletedOptions,
  type WithDefaults,
} from './base/options/option-schema.js';
export { parseOptions } from './base/options/option-schema.js';
export type { Milliseconds } from './base/options/option-schema.js';
/** The rules that options are described with, for the schemas of other packages' options. */
export * as optionRules from './base/options/rules.js';
