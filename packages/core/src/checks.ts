// For tools that look at operations and schemas before a server starts.
// Integers that may be strings of digits
export { DIGITS, isDigitPattern, withAllBoundDigits as withBoundDigits } from '@toolwright/json';
export {
  explainValue,
  findFlaggedProblems,
  findPatternProblems,
  PATTERN_FIX,
  type FlaggedPattern,
  type ValueProblem,
} from '@toolwright/json';
export { DEFAULT_PAGE_SIZE } from './protocol/protocol-options.js';
export { findHiddenText, type HiddenCharacter } from './boot/checks/find-hidden-text.js';
export type { DeclaredOperation } from './boot/find-declared-problems.js';
export { findDeclaredProblems, KnownProblems, type DeclaredProblem } from './boot/find-declared-problems.js';
// For tools that look at classes without the server of their application.
export type { ConfigurationProblem } from './base/errors/configuration-error.js';
export { createStandIn } from './create-mcp-server.js';
