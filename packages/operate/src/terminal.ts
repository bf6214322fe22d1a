export { CommandError, describeError, exitCodes, notInstalled, usageError } from './command-error.js';
export { type JsonFile, currentText, jsonProblem, readJsonFile } from './json-file.js';
export {
  type Style,
  type TableShape,
  formatTable,
  render,
  styleFor,
  widthOf,
  wrapWords,
} from './terminal/style.js';
export { type Terminal, cutToFit, outliveReader, processTerminal, wrapText } from './terminal/terminal.js';
export { inLine, visible, visibleJson } from './terminal/visible-text.js';
export { count } from '@toolwright/json';
