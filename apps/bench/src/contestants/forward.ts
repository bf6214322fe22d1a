import { Agent } from 'node:http';
import { exchange } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import { toolName } from './work.js';

export interface ForwardedResult {
  content: { type: 'text'; text: string }[];
}

/** Passes calls on to a tool of another server, over connections that stay open; the same for all contestants. */
export function forwarder(port: number): (args: object) => Promise<ForwardedResult> {
  const agent = new Agent({ keepAlive: true });
  let id = 0;
  return async (args) => {
    const question = { method: 'tools/call', params: { name: toolName(0), arguments: args } };
    const { body } = await exchange(port, wireRequest(question, ++id, { dialect: 'modern' }), agent);
    const { content } = (JSON.parse(body) as { result: ForwardedResult }).result;
    return { content };
  };
}
