import { migrate } from './migrate-source.js';

const installed = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', '@toolwright/core', 'zod'];

test.each(['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/server'])(
  'a method that does not compile is written more plainly, and left alone at last (%s)',
  (from) => {
    const { text, notes } = migrate(
      `import { McpServer } from '${from}';
import { z } from 'zod';

const server = new McpServer({ name: 'a', version: '1' });
declare function load(): Promise<{ a: number }>;

server.registerTool('fits', { outputSchema: z.object({ a: z.number() }) }, async () => {
  const found = await load();
  return { content: [{ type: 'text', text: 'a' }], structuredContent: found };
});
server.registerTool('differs', { outputSchema: z.object({ a: z.string() }) }, async () => {
  const found = await load();
  return { content: [{ type: 'text', text: 'a' }], structuredContent: { ...found } };
});
server.registerTool('wrong', { inputSchema: z.object({ a: z.string() }) }, async ({ a }) => {
  const found: number = a;
  return { content: [{ type: 'text', text: String(found) }] };
});
`,
      {},
      installed,
    );
    expect(text()).toContain('async fits(): Promise<Structured<{ a: number }>> {');
    expect(text()).toContain('async differs(): Promise<ToolResult> {');
    expect(text()).toContain(
      "outputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }",
    );
    expect(text()).toContain("server.registerTool('wrong'");
    expect(notes.find((note) => note.includes('"wrong"'))).toMatch(
      /The method would not compile: Type 'string' is not assignable to type 'number'/,
    );
  },
);
