// A server over stdio for tests: TypeScript that Node.js runs without a build would need a newer one, so it is a text.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = (require: string) => `
const { McpServer } = require(${JSON.stringify(require)} + '/server/mcp.js');
const { StdioServerTransport } = require(${JSON.stringify(require)} + '/server/stdio.js');
const server = new McpServer({ name: 'child', version: '1.0.0' });
let count = 0;
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const readOnly = { annotations: { readOnlyHint: true } };
server.registerTool('count', { description: 'Counts.' }, () => text(++count));
server.registerTool('pid', { description: 'Its process.', ...readOnly }, () => text(process.pid));
server.registerTool('say', { description: 'Logs.' }, () => (console.error('said'), text('said')));
server.registerTool('env', { description: 'Its environment.', ...readOnly }, () => text(JSON.stringify(process.env)));
server.registerTool('die', { description: 'Ends the process.' }, () => process.exit(1));
server.registerTool('die_often', { description: 'Ends it for the first calls.', ...readOnly }, () => {
  const { appendFileSync, readFileSync } = require('node:fs');
  const { MARK, DEATHS = '1' } = process.env;
  appendFileSync(MARK, 'x');
  if (readFileSync(MARK, 'utf8').length > Number(DEATHS)) return text('alive');
  process.exit(1);
});
server.registerTool('grow', { description: 'Uses memory.' }, () => {
  const kept = [];
  for (let i = 0; i < 64; i++) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
  return text(kept.length);
});
server.registerTool('where', { description: 'Asks for folders.' }, async () => {
  const { roots } = await server.server.listRoots();
  return text(roots.map(({ uri }) => uri).join(' '));
});
server.registerTool('greet', { description: 'Asks for a name.' }, async () => {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const { content } = await server.server.elicitInput({ message: 'Name?', requestedSchema });
  return text('Hello, ' + content.name);
});
void server.connect(new StdioServerTransport());
`;

/** The options of a mount of it, and the file that it marks its deaths in. */
export function childServer(): { command: string; args: string[]; env: { MARK: string } } {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  const sdk = join(require.resolve('@modelcontextprotocol/sdk/server/mcp.js'), '..', '..');
  const file = join(folder, 'server.cjs');
  writeFileSync(file, source(sdk));
  return { command: process.execPath, args: [file], env: { MARK: join(folder, 'mark') } };
}
