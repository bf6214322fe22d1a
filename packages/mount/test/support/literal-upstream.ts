import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ID = '1610521604143693812';
const LARGEST = '9223372036854775807';

/** Results as their server writes them. A double holds none of their integers. */
export const results: Readonly<Record<string, string>> = {
  row: `{"id":${ID},"ids":[-9007199254740993,5],"ratio":0.5,"code":"${ID}"}`,
  open: `{"id":${ID}}`,
  // A double holds these. JavaScript writes them with the digits of other integers.
  even: '{"id":1152921504606846976,"ids":[-9223372036854775808,5]}',
};

const row = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    ids: { type: 'array', items: { type: 'integer' } },
    ratio: { type: 'number' },
    code: { type: 'string' },
  },
  required: ['id'],
};

/** The answer to a message, as text: a server in another language writes integers of 64 bits so. */
export function answerTo(text: string): string | undefined {
  const { id, method, params } = JSON.parse(text) as {
    id?: number;
    method: string;
    params: { name: string };
  };
  if (id === undefined) return undefined;
  const result = (value: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${value}}`;
  const limit = `{"type":"object","properties":{"limit":{"type":"integer","maximum":${LARGEST}}}}`;
  const values = `{"type":"object","properties":{"id":{"type":"integer","maximum":${LARGEST}},"since":{"type":"integer","default":${ID}},"kind":{"type":"integer","enum":[${ID},5]},"other":{"anyOf":[{"const":${ID}},{"type":"null"}]}}}`;
  const tool = (name: string, more: string) =>
    `{"name":"${name}","description":"Reads.","inputSchema":${limit}${more}}`;
  switch (method) {
    case 'initialize':
      return result(
        '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"rows","version":"1"}}',
      );
    case 'tools/list':
      return result(
        `{"tools":[${tool('row', `,"outputSchema":${JSON.stringify(row)}`)},${tool('open', '')},${tool('even', `,"outputSchema":${JSON.stringify(row)}`)},${tool('fails', '')},{"name":"echo","inputSchema":${values}}]}`,
      );
    case 'tools/call': {
      // What came, character by character.
      const came = /"arguments":(\{.*?\})[,}]/.exec(text)?.[1] ?? '';
      if (params.name === 'echo')
        return result(`{"content":[{"type":"text","text":${JSON.stringify(came)}}],"_meta":{"x/id":${ID}}}`);
      if (params.name === 'fails')
        return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32050,"message":"No row.","data":{"id":${ID},"at":1152921504606846976}}}`;
      const value = results[params.name]!;
      return result(
        `{"content":[{"type":"text","text":${JSON.stringify(value)}}],"structuredContent":${value}}`,
      );
    }
    default:
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}`;
  }
}

/** The same over HTTP, under a content type. A stream comes in two pieces, and the cut is in the middle of the digits. */
export async function serveLiterals(type: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = answerTo(Buffer.concat(parts).toString());
      if (answer === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': type });
      if (type.startsWith('application/json')) return response.end(answer);
      const event = `event: message\ndata: ${answer}\n\n`;
      const middle = event.includes(ID) ? event.lastIndexOf(ID) + 9 : 5;
      response.write(event.slice(0, middle), () => response.end(event.slice(middle)));
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The options of a mount of it over stdio. */
export function literalChild(): { command: string; args: string[] } {
  const file = join(mkdtempSync(join(tmpdir(), 'literals-')), 'server.cjs');
  const parts = { ID, LARGEST, results, row };
  const known = Object.entries(parts).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  writeFileSync(
    file,
    `${known.join('\n')}
${answerTo.toString()}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const answer = answerTo(line);
  if (answer !== undefined) process.stdout.write(answer + '\\n');
});
`,
  );
  return { command: process.execPath, args: [file] };
}
