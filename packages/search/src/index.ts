export { extension, type Searching } from './extension.js';
export { isForModels } from './findable-tools.js';
export type { ToolSearchOption, ToolSearchOptions } from './search-options.js';
export type { FoundTool } from './search-tools.js';
