import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { GrantDesk } from './grant-desk.js';
import { CALENDAR, SCOPES } from './granting-issuer.js';

/** Another process of the server of a desk, over HTTP. It runs the built packages. */
export class GrantReplica {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(desk: GrantDesk, place: { redis: string; secrets: string[] }): Promise<GrantReplica> {
    const oauth = {
      resource: new URL('/mcp', desk.url).href,
      issuers: [desk.people.issuer],
      exchange: {
        [CALENDAR]: { by: 'stored-grant', issuer: desk.calendar.issuer, ...desk.client, scopes: SCOPES },
      },
      grants: { url: desk.url, issuer: desk.people.issuer, clientId: 'unused' },
    };
    const REPLICA = JSON.stringify({ ...place, oauth, calendar: CALENDAR });
    const child = fork(join(__dirname, '../fixtures/grant-replica.cjs'), {
      execArgv: [],
      env: { PATH: process.env['PATH'], REPLICA },
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process has ended.')));
    ended.catch(() => undefined);
    const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
    return new GrantReplica(child, url);
  }

  /** Sets the clock of the process. */
  async shift(ahead: number): Promise<void> {
    this.child.send({ ahead });
    await once(this.child, 'message');
  }

  /** Calls the tool. @returns what it said */
  async ask(token: string): Promise<string> {
    const params = {
      name: 'calendar',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'calendar',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = (await response.text()).replace(/^[\s\S]*?data: /, '');
    const { result, error } = JSON.parse(text) as {
      result?: { content: { text: string }[]; isError?: boolean };
      error?: { message: string };
    };
    if (!result || result.isError) throw new Error(result?.content[0]!.text ?? error?.message ?? text);
    return Buffer.from(result.content[0]!.text, 'base64url').toString();
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.send({});
    await exit;
  }
}
