import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answers, type Heard } from './answers.js';
import { PROGRAMS, stdioEntry } from './running-app.js';

export interface V2Setup {
  transport: 'http' | 'stdio';
  url: string;
  era: 'modern' | 'legacy';
}

/** The official v2 client, on the era it is told. */
export async function connectV2({ transport, url, era }: V2Setup): Promise<{ client: Client; heard: Heard }> {
  const options: ClientOptions = {
    capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  };
  const client = new Client({ name: 'v2', version: '1' }, options);
  const heard: Heard = { logs: [], toolChanges: 0 };
  client.setRequestHandler('elicitation/create', ({ params }) => answers.elicit(params.message) as never);
  client.setRequestHandler('sampling/createMessage', () => answers.sample() as never);
  client.setRequestHandler('roots/list', () => answers.roots());
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.logs.push(params.data));
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.toolChanges++);
  await client.connect(
    transport === 'stdio'
      ? new StdioClientTransport({
          command: process.execPath,
          args: [stdioEntry],
          env: PROGRAMS,
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  return { client, heard };
}
