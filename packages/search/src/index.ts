export { type Hints, worstOf } from './call-hints.js';
export { extension } from './extension.js';
export { isForModels } from './findable-tools.js';
export type { CallingTool, Searching } from './searching.js';
export type { ToolSearchOption, ToolSearchOptions } from './search-options.js';
export type { FoundTool } from './search-tools.js';
