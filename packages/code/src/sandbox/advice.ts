import { takesTypes, mayHaveTypes } from './types.js';

/** Says what to do where an error of the language says only what is wrong. Models write for Node.js, for browsers and for other servers. */
export function adviceFor(error: string, code: string): string {
  for (const [says, isSo, advice] of ADVICE) if (says.test(error) && isSo(code)) return `. ${advice}`;
  return '';
}

/**
 * Says what to do where a program gave nothing, and perhaps meant to: models forget the `return`.
 *
 * @param wentOn whether something was still under way when it returned
 */
export function hintFor(code: string, wentOn: boolean): string[] {
  if (code.trim() === '') return [];
  const nothing = 'The program returned nothing';
  if (wentOn) return [`${nothing}, and went on after that: write \`await\` in front of what it forgot.`];
  // What a function in it returns is not what it returns.
  if (/^return\b[^{}]*$/.test(code.slice(code.lastIndexOf('return'))))
    return [`${nothing}: what stands behind its \`return\` is undefined.`];
  return [`${nothing}: write \`return\` in front of the value that you need.`];
}

const always = () => true;
const has = (part: RegExp) => (code: string) => part.test(code);

/** What a global that is missing is called. */
const missing = (...names: string[]) =>
  new RegExp(`^ReferenceError: '(?:${names.join('|')})' is not defined`);

const NO_MODULES =
  'There are no modules: `tools`, `console` and `sleep` are there without an import, and a program `return`s its result';

/** What an error says, what the code has, and what helps. The first that fits counts. */
const ADVICE: readonly (readonly [RegExp, (code: string) => boolean, string])[] = [
  [missing('fetch', 'XMLHttpRequest', 'WebSocket', 'axios'), always, 'There is no network: call a tool'],
  [
    missing('setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'),
    always,
    'A program pauses with `await sleep(ms)`',
  ],
  [
    missing('codemode', 'mcp', 'client', 'server', 'api', 'call_tool', 'callTool', 'ctx', 'context'),
    always,
    'Call a tool as `await tools.<name>({ … })`',
  ],
  [
    missing('require', 'module', 'exports', 'process', 'Buffer', 'fs', 'path', '__dirname', 'global'),
    always,
    'There is nothing of Node.js in a program',
  ],
  [
    missing('Intl', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'btoa', 'atob'),
    always,
    'A program has what the language has, and nothing of browsers and Node.js',
  ],
  [
    missing('structuredClone', 'crypto', 'performance', 'print', 'document', 'window', 'self'),
    always,
    'A program has what the language has, and nothing of browsers and Node.js',
  ],
  [/^ReferenceError: could not load module/, always, NO_MODULES],
  [/^SyntaxError: /, has(/^[ \t]*(?:```|~~~)/m), 'Send the program alone, without Markdown around it'],
  [/^SyntaxError: /, has(/^(?:def |from \w+ import |import \w+$|async def )/m), 'Programs are JavaScript'],
  [/^SyntaxError: /, has(/^[ \t]*(?:import\b[^(]|export\b)/m), NO_MODULES],
  [
    /^SyntaxError: unexpected token: 'object'/,
    has(/JSON\.parse/),
    'A tool with an output schema gives an object: leave out `JSON.parse`',
  ],
  [
    /^TypeError: /,
    has(/\.(?:content|structuredContent)\b/),
    'A call gives the value itself: the structured result or the text, without `content` around it',
  ],
  [
    /^SyntaxError: /,
    (code) => !takesTypes && mayHaveTypes(code),
    'If it is a type annotation: this server takes JavaScript without them, because its Node.js is older than 22.13',
  ],
];
