// For packages that read options of their own: the rules by which core reads its own.
export {
  withDefaults,
  type AnyOptionSchema,
  type OptionFault,
  type OptionPlace,
  type OptionRule,
  type OptionSchema,
  type OptionalRule,
  type RequiredRule,
  type WithDefaults,
} from './base/options/option-schema.js';
export { parseOptions } from './base/options/parse-options.js';
export { optionRules } from './base/options/option-rules.js';
