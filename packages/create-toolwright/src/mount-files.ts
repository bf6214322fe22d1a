import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withEnding, type SourceStyle } from './piece-files.js';

const mountTemplates = join(__dirname, '../templates/mount');

/**
 * The files that an Express app needs to serve its first tool: text by file name. `mcp-endpoint` exports
 * `mcpEndpoint`.
 */
export function mountFiles(
  app: { name: string; version: string },
  style: Pick<SourceStyle, 'importEnding'>,
): Map<string, string> {
  const read = (file: string) => readFileSync(join(mountTemplates, file), 'utf8');
  const endpoint = read('mcp-endpoint.ts')
    .replace("'my-server'", quoted(app.name))
    .replace("'0.1.0'", quoted(app.version));
  return new Map([
    ['app-tools.ts', read('app-tools.ts')],
    ['mcp-endpoint.ts', withEnding(endpoint, style)],
  ]);
}

/** The name in a user's `package.json` may contain any character. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\r\n]/g, ' ')}'`;
}
