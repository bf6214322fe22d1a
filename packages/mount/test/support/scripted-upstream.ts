import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a server answers, by method: the members of its message as text, such as `"result":null,"error":null`. */
export type Script = Readonly<Record<string, string>>;

/** The ways in which it may be reached. */
export const ways = ['json', 'stream', 'stdio'] as const;
export type Way = (typeof ways)[number];

/**
 * A server that answers by a script, as a server in another language may write it.
 *
 * @returns the options of a mount of it
 */
export async function scripted(
  script: Script,
  way: Way,
): Promise<{ options: { url: string } | { command: string; args: string[] }; close(): void }> {
  if (way === 'stdio') {
    const file = join(mkdtempSync(join(tmpdir(), 'script-')), 'server.cjs');
    writeFileSync(
      file,
      // A console of Windows begins its output with a byte order mark.
      `process.stdout.write('\\uFEFF');
const script = ${JSON.stringify(script)};
${answerOf.toString()}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const answer = answerOf(script, line);
  if (answer !== undefined) process.stdout.write(answer + '\\n');
});
`,
    );
    return { options: { command: process.execPath, args: [file] }, close: () => undefined };
  }
  const http = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answerOf(script, Buffer.concat(chunks).toString());
      if (answer === undefined) return void response.writeHead(202).end();
      const [type, body] =
        way === 'json' ? ['application/json', answer] : ['text/event-stream', `data: ${answer}\n\n`];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    options: { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

function answerOf(script: Script, text: string): string | undefined {
  const { id, method } = JSON.parse(text) as { id?: number; method?: string };
  if (id == null || method === undefined) return undefined;
  const body = Object.hasOwn(script, method)
    ? script[method]!
    : '"error":{"code":-32601,"message":"Method not found"}';
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`;
}
