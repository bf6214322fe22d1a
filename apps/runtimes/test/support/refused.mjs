/* global Response */
// A worker that answers with what it cannot have.
import { createContactServer } from '../../dist/contact-server.js';
import manifest from '../../mcp.manifest.json';

const heard = (error) => `${error.message}`;

/** Once, only generated code could check this schema, which a worker forbids. */
async function addRare() {
  const server = await createContactServer({ manifest });
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    unevaluatedProperties: false,
  };
  server.tools.add({
    name: 'rare',
    description: 'Has a schema with rare keywords.',
    inputSchema,
    handler: () => 'never',
  });
}

export default {
  async fetch() {
    const files = createContactServer({ audit: { file: 'audit.log' }, discover: 'dist' });
    const path = createContactServer({ manifest: 'mcp.manifest.json' });
    const problems = [files, path, addRare()].map((each) => each.then(() => 'fine', heard));
    return Response.json(await Promise.all(problems));
  },
};
