/* global Response */
// A worker that answers with what it cannot have.
import { createContactServer } from '../../dist/contact-server.js';
import manifest from '../../mcp.manifest.json';

const told = (error) => `${error.message}`;

async function addConditional() {
  const server = await createContactServer({ manifest });
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    if: { required: ['a'] },
    then: {},
  };
  server.tools.add({ name: 'conditional', description: 'Conditional.', inputSchema, handler: () => 'never' });
}

export default {
  async fetch() {
    const files = createContactServer({ audit: { file: 'audit.log' }, discover: 'dist' });
    const path = createContactServer({ manifest: 'mcp.manifest.json' });
    const problems = [files, path, addConditional()].map((each) => each.then(() => 'fine', told));
    return Response.json(await Promise.all(problems));
  },
};
