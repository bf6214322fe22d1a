import type { McpServer } from '@toolwright/core';
import { StubModel, type StubReply } from '../../../chat/test/support/stub-model.js';
import type { ConsoleEvent } from '../../src/api/console-api.js';
import { Inside } from '../../src/index.js';

const environment = { ...process.env };
/** Long enough to be one. */
export const key = 'sk-canary-0123456789';
export const servers: McpServer[] = [];

afterEach(async () => {
  process.env = { ...environment };
  for (const server of servers.splice(0)) await server.close(0);
});

/** A console with a model that gives these answers, and everything that it has told. */
export async function consoleWith(server: McpServer, ...replies: readonly StubReply[]) {
  servers.push(server);
  const model = await StubModel.start(...replies);
  Object.assign(process.env, {
    TOOLWRIGHT_CHAT_URL: model.url,
    TOOLWRIGHT_CHAT_MODEL: 'stub',
    TOOLWRIGHT_CHAT_KEY: key,
  });
  const events: ConsoleEvent[] = [];
  let heard: () => void = () => undefined;
  const inside = new Inside((event) => {
    events.push(event);
    heard();
  });
  const id = inside.add(server);
  inside.watch();
  /** Waits for an event of this kind. */
  const until = <T>(find: (event: ConsoleEvent) => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      heard = () => {
        const found = events.map(find).find((each) => each !== undefined);
        if (found !== undefined) resolve(found);
      };
      heard();
    });
  const ended = (number = 1) =>
    until((event) => {
      const chat = event.type === 'chat' ? event.chat : undefined;
      return chat?.turns[number - 1]?.state === 'ended' ? chat : undefined;
    });
  const asking = () =>
    until((event) => (event.type === 'ownCall' && event.call.state === 'asking' ? event.call : undefined));
  return { inside, events, model, until, ended, asking, of: { server: id } };
}

/** The text of the last result that a model has read. */
export const lastText = (model: StubModel) => model.request(-1).body.messages.at(-1)!['content'];
