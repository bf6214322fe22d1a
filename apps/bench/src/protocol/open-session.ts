import type { Agent } from 'node:http';
import type { Conversation } from './request.js';
import { initialize, initialized, wireRequest } from './request.js';
import { exchange } from './exchange.js';

/** Initialises a session and resolves with its conversation. */
export async function openSession(port: number, agent?: Agent): Promise<Conversation> {
  const answer = await exchange(port, wireRequest(initialize, 0, { dialect: 'session' }), agent);
  const session = answer.headers['mcp-session-id'];
  if (answer.status !== 200 || typeof session !== 'string') {
    throw new Error(`no session: status ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
  const talk: Conversation = { dialect: 'session', session };
  await exchange(port, wireRequest(initialized, undefined, talk), agent);
  return talk;
}
