export { extension } from './extension.js';
export type { CodeModeOption, CodeModeOptions } from './code-options.js';
