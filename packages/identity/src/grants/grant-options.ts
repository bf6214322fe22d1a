import { type GrantsOptions, type OptionSchema, optionRules } from '@toolwright/core/options';
import { signInPageOptions } from '../pages/sign-in-options.js';

export const grantsOptions = {
  ...signInPageOptions,
  keep: { ...optionRules.anyDuration, default: '90d' },
} satisfies OptionSchema<GrantsOptions>;
