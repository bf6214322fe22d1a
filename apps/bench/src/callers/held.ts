import { Agent } from 'node:http';
import { CLOCK_URI } from '../contestants/work.js';
import { openSession } from '../protocol/open-session.js';
import { Audience } from './audience.js';

const AT_ONCE = 32;

/** What many callers keep at a server, until `close`. */
export interface Held {
  grow(count: number): Promise<void>;
  /** Those that hear of a change. */
  readonly audience?: Audience;
  close(): void;
}

/** What a server is asked to hold. */
export interface Kind {
  readonly name: 'sessions' | 'streams' | 'subscriptions';
  readonly title: string;
  readonly hold: (port: number) => Held;
}

/** The clients of sessions have gone away and may come back; streams stay open. */
export const kinds: readonly Kind[] = [
  { name: 'sessions', title: 'idle sessions', hold: holdSessions },
  {
    name: 'streams',
    title: 'open `subscriptions/listen` streams',
    hold: (port) => holdStreams(port, { toolsListChanged: true }),
  },
  {
    name: 'subscriptions',
    title: 'subscriptions to one resource',
    hold: (port) => holdStreams(port, { resourceSubscriptions: [CLOCK_URI] }),
  },
];

function holdSessions(port: number): Held {
  const agent = new Agent({ keepAlive: true });
  return {
    async grow(count) {
      let left = count;
      const work = async () => {
        while (left-- > 0) await openSession(port, agent);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    close: () => agent.destroy(),
  };
}

function holdStreams(port: number, notifications: object): Held {
  const audience = new Audience(port, { method: 'subscriptions/listen', params: { notifications } });
  return { audience, grow: (count) => audience.grow(count, AT_ONCE), close: () => audience.close() };
}
