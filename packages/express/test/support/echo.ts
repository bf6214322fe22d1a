import { createFixture } from '../../../http/test/support/fixture.js';
import { call, send } from '../../../http/test/support/wire.js';
import { mcpExpress } from '../../src/index.js';

/** An endpoint whose tool `echo` can be called. */
export async function echoEndpoint(options?: Parameters<typeof mcpExpress>[1]) {
  const { server } = await createFixture();
  return mcpExpress(server, options);
}

/** @returns the answer of the tool; the status if there is no such endpoint */
export async function callEcho(base: string, path: string): Promise<unknown> {
  const answer = await send(base, { ...call('echo', { text: path }), path });
  return answer.status === 200 ? answer.json.result.content[0].text : answer.status;
}
