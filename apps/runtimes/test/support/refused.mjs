/* global Response */
// A worker that answers with what it cannot have.
import { createContactServer } from '../../dist/contact-server.js';
import manifest from '../../mcp.manifest.json';

const told = (error) => `${error.message}`;

async function addUncheckable() {
  const server = await createContactServer({ manifest });
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    unevaluatedProperties: false,
  };
  server.tools.add({ name: 'uncheckable', description: 'Uncheckable.', inputSchema, handler: () => 'never' });
}

export default {
  async fetch() {
    const files = createContactServer({ audit: { file: 'audit.log' }, discover: 'dist' });
    const path = createContactServer({ manifest: 'mcp.manifest.json' });
    const problems = [files, path, addUncheckable()].map((each) => each.then(() => 'fine', told));
    return Response.json(await Promise.all(problems));
  },
};
