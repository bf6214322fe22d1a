import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { answers, type Heard } from './answers.js';
import { PROGRAMS, stdioEntry } from './running-app.js';

export type V1Transport = 'http' | 'stdio';

/** The official v1 client, with everything declared that the server may ask for. */
export async function connectV1(
  transport: V1Transport,
  url: string,
): Promise<{ client: Client; heard: Heard }> {
  const client = new Client(
    { name: 'v1', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
  );
  const heard: Heard = { logs: [], toolChanges: 0 };
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers.elicit(params.message) as never);
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sample() as never);
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots());
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void heard.logs.push(params.data),
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.toolChanges++);
  await client.connect(open(transport, url));
  return { client, heard };
}

function open(transport: V1Transport, url: string) {
  if (transport === 'stdio')
    return new StdioClientTransport({
      command: process.execPath,
      args: [stdioEntry],
      env: PROGRAMS,
      stderr: 'ignore',
    });
  return new StreamableHTTPClientTransport(new URL(url));
}
