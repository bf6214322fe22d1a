import * as rules from './rules.js';

/** The rules that options are described with, for the schemas of other packages' options. */
export const optionRules = rules;
