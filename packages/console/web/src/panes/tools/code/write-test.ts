import type { CallRequest } from '../../../../../src/api/call-api.js';
import { requestOf } from '../../../../../src/inside/calls/request-of.js';

/** The call as a test. */
export function writeTest(request: CallRequest): string {
  const { as, key } = request;
  const options = as ? `, { principal: ${JSON.stringify({ subject: as.subject, scopes: as.scopes })} }` : '';
  return `import { connect } from '@toolwright/testing';
import { createServer } from '../src/server.js';

test(${JSON.stringify(key)}, async () => {
  const server = await createServer();
  const client = await connect(server${options});
  const result = await client.${testCallOf(request)};
  ${request.kind === 'tool' ? 'expect(result).not.toBeToolError();' : 'expect(result).toBeDefined();'}
  await server.close();
});
`;
}

function testCallOf(request: CallRequest): string {
  const { params } = requestOf(request);
  const args = JSON.stringify(request.arguments, null, 2);
  if (request.kind === 'tool') return `call(${JSON.stringify(request.key)}, ${args})`;
  if (request.kind === 'prompt') return `get(${JSON.stringify(request.key)}, ${args})`;
  return `read(${JSON.stringify(params['uri'])})`;
}
