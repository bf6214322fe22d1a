import { Code } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CallRequest } from '../../../../src/api/call-api.js';
import { UriTemplate } from '../../../../../json/src/addresses/uri-template.js';
import { requestOf } from '../../../../src/inside/calls/request-of.js';
import { useOverview } from '../../data/current.js';
import { CopyButton, Button } from '../../ui/pieces.js';
import { Tabs } from '../../ui/tabs.js';

const forms = [
  { id: 'curl', title: 'curl', write: writeCurl },
  { id: 'client', title: 'Client', write: writeClient },
  { id: 'test', title: 'Jest test', write: writeTest },
];

/** The same call, as a command and as code. */
export function CodeDialog({ request, disabled }: { request: CallRequest; disabled: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState('curl');
  const endpoint = useOverview()?.endpoint ?? 'http://127.0.0.1:3000/mcp';
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()} disabled={disabled}>
        <Code size={15} aria-hidden /> Code
      </Button>
      <dialog ref={dialog} className="dialog wide" aria-label="This call as code">
        <div className="stack">
          <h2>This call as code</h2>
          <Tabs
            label="Languages"
            open={open}
            choose={setOpen}
            tabs={forms.map(({ id, title, write }) => ({
              id,
              title,
              content: () => (
                <div className="stack">
                  <pre className="card">{write(request, endpoint)}</pre>
                  <CopyButton text={() => write(request, endpoint)} />
                </div>
              ),
            }))}
          />
          <div className="row end">
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </div>
        </div>
      </dialog>
    </>
  );
}

/** The call with the official client. */
function writeClient(request: CallRequest, endpoint: string): string {
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'my-client', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(endpoint)})));
const result = await client.${clientCallOf(request)};
console.log(result);
await client.close();
`;
}

function clientCallOf(request: CallRequest): string {
  const { params } = requestOf(request, UriTemplate);
  const text = JSON.stringify(params, null, 2);
  if (request.kind === 'tool') return `callTool(${text})`;
  return request.kind === 'prompt' ? `getPrompt(${text})` : `readResource(${text})`;
}

/** The newest revision: it needs no handshake, so that one command is a whole call. */
const REVISION = '2026-07-28';

/** The call as a command for a shell. */
function writeCurl(request: CallRequest, endpoint: string): string {
  const { method, params } = requestOf(request, UriTemplate);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params['name'] ?? params['uri'];
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${REVISION}`,
    `Mcp-Method: ${method}`,
    ...(typeof name === 'string' ? [`Mcp-Name: ${headerValue(name)}`] : []),
    ...(request.as ? ['Authorization: Bearer $TOKEN'] : []),
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  // The token comes from the environment: double quotes let the shell fill it in.
  const quoted = headers.map((header) => (header.includes('$TOKEN') ? `"${header}"` : quote(header)));
  return [`curl ${quote(endpoint)}`, ...quoted.map((header) => `-H ${header}`), `-d ${quote(body)}`].join(
    ' \\\n  ',
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Headers carry ASCII; everything else in the protocol's own base64 form. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;
}

/** The call as a test. */
function writeTest(request: CallRequest): string {
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
  const { params } = requestOf(request, UriTemplate);
  const args = JSON.stringify(request.arguments, null, 2);
  if (request.kind === 'tool') return `call(${JSON.stringify(request.key)}, ${args})`;
  if (request.kind === 'prompt') return `get(${JSON.stringify(request.key)}, ${args})`;
  return `read(${JSON.stringify(params['uri'])})`;
}
