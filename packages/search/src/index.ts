export { extension } from './extension.js';
export type { ToolSearchOption, ToolSearchOptions } from './search-options.js';
export type { FoundTool } from './search-tools.js';
