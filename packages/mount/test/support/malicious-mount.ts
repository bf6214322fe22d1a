import { connect, type McpClient } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { type MaliciousUpstream, serveMalicious, type Trick } from './malicious-upstream.js';
import { createGateway } from './tools.js';

const open = closedAfterEach();

/** Closes something when the test is over. */
export function closeLater(each: { close(): unknown }): void {
  open.push(each);
}

type Calls = Record<string, (trick: Trick) => void>;

interface Tricks {
  /** How its tools, by name, are answered. */
  readonly calls?: Calls;
  /** How other methods are answered. */
  readonly methods?: Calls;
  readonly options?: Partial<MountOptions>;
}

/** Mounts a server that wants to harm us. */
export async function mounted(
  tools: readonly Record<string, unknown>[],
  { calls = {}, methods = {}, options = {} }: Tricks = {},
) {
  const evil: MaliciousUpstream = await serveMalicious();
  evil.tools = [...tools];
  Object.assign(evil.calls, calls);
  Object.assign(evil.methods, methods);
  const gateway = await createGateway();
  open.push(evil, gateway);
  const limits = { resultBytes: 100_000, answerMs: 1_500, tools: 50, schemaBytes: 10_000 };
  const mount = await mountServer(gateway, 'evil', { url: evil.url, limits, ...options });
  return { evil, gateway, mount };
}

export async function clientOf(gateway: McpServer, options: object = {}): Promise<McpClient> {
  const client = await connect(gateway, options as never);
  open.push(client);
  return client;
}
