import type { CallRequest } from '../../../../../src/api/call-api.js';
import { requestOf } from '../../../../../src/inside/calls/request-of.js';

/** The call with the official client. */
export function writeClient(request: CallRequest, endpoint: string): string {
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'my-client', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(endpoint)})));
const result = await client.${clientCallOf(request)};
console.log(result);
await client.close();
`;
}

function clientCallOf(request: CallRequest): string {
  const { params } = requestOf(request);
  const text = JSON.stringify(params, null, 2);
  if (request.kind === 'tool') return `callTool(${text})`;
  return request.kind === 'prompt' ? `getPrompt(${text})` : `readResource(${text})`;
}
