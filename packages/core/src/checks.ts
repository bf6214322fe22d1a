// For tools that look at operations and schemas before a server starts.
export {
  explainValue,
  findFlaggedProblems,
  findPatternProblems,
  PATTERN_FIX,
  type FlaggedPattern,
  type ValueProblem,
} from '@toolwright/json';
export { DEFAULT_PAGE_SIZE } from './protocol/protocol-options.js';
export {
  checkDeclared,
  findRepeatedName,
  type CheckedOperation,
  type DeclaredEntry,
  type DeclaredOperation,
} from './boot/check-declared.js';
// For tools that look at classes without the server of their application.
export type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
export { createStandIn } from './create-mcp-server.js';
