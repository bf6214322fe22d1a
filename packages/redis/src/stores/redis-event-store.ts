import type { EventStore, StoredEvent } from '@toolwright/core/ports';
import { OrderedEvents, type OutgoingEvent } from '@toolwright/json';
import type { RedisConnection } from '../connection/connection.js';
import { AwayError } from '../connection/redis-link.js';
import { type Keys, lifetime } from '../keys.js';
import { Script } from './script.js';

/**
 * Appends an event to those of its session, and removes the oldest ones while there are too many. The newest one does not
 * count: an answer that is larger than all may be together still reaches a client that has lost its connection. Of each
 * stream, the id of the last event that was removed is kept: a client that has it has missed nothing of what is there.
 *
 * ARGV: stream, id, text, 1 for the last one; most events, most bytes, milliseconds until all are forgotten;
 * 1 when earlier events cannot be replayed, 1 when the event may be there already.
 */
const appendEvent = new Script(`
local events, bytes, removed = KEYS[1], KEYS[2], KEYS[3]
local stream, id, text, last = unpack(ARGV, 1, 4)
local most, mostBytes, life = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
if ARGV[8] == '1' then redis.call('DEL', events, bytes, removed) end
if ARGV[9] == '1' then
  for _, entry in ipairs(redis.call('XRANGE', events, '-', '+')) do
    if entry[2][2] == stream and entry[2][4] == id then return 0 end
  end
end
redis.call('XADD', events, '*', 'stream', stream, 'id', id, 'text', text, 'last', last)
local total = redis.call('INCRBY', bytes, #text)
local kept = redis.call('XLEN', events)
while kept > 1 and (kept > most or total - #text > mostBytes) do
  local oldest = redis.call('XRANGE', events, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', events, oldest[1])
  total = redis.call('DECRBY', bytes, #(oldest[2][6] or ''))
  if redis.call('HLEN', removed) >= most then redis.call('DEL', removed) end
  redis.call('HSET', removed, oldest[2][2], oldest[2][4])
  kept = kept - 1
end
redis.call('PEXPIRE', events, life)
redis.call('PEXPIRE', bytes, life)
redis.call('PEXPIRE', removed, life)
return kept
`);

/**
 * The events of a stream after one of them, the newest first. It looks from the end on, because a client has
 * usually missed little. ARGV: stream, id.
 */
const readEvents = new Script(`
local found, before = {}, '+'
while true do
  local entries = redis.call('XREVRANGE', KEYS[1], before, '-', 'COUNT', 16)
  if #entries == 0 then
    if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return found end
    return {}
  end
  for _, entry in ipairs(entries) do
    local fields = entry[2]
    if fields[2] == ARGV[1] then
      if fields[4] == ARGV[2] then return found end
      found[#found + 1] = {fields[4] or '', fields[6] or '', fields[8] or '0'}
    end
  end
  before = '(' .. entries[#entries][1]
end
`);

interface EventBounds {
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly eventTtl: number;
}

/**
 * Keeps the events of a session in one Redis stream, which any process can replay. Events of a process arrive
 * in the order in which it appends them, because they go over one connection.
 */
export class RedisEventStore extends OrderedEvents implements EventStore {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
    private readonly bounds: EventBounds,
  ) {
    super({
      name: 'Redis',
      atOnce: 64,
      inOrder: true,
      away: (message) => new AwayError(message),
      get clock() {
        return connection.clock;
      },
      get isUp() {
        return connection.isUp;
      },
    });
  }

  async after(session: string, stream: string, lastEventId: string): Promise<readonly StoredEvent[]> {
    const [name, , removed] = this.keys.events(session);
    const reply = await readEvents.run(this.connection, [name, removed], [stream, lastEventId]);
    const newestFirst = reply as [id: string, text: string, last: string][];
    return newestFirst
      .reverse()
      .map(([id, text, last]) => ({ id, text, ...(last === '1' && { last: true }) }));
  }

  protected async forget(session: string): Promise<void> {
    const names = this.keys.events(session);
    await this.connection.send(['DEL', ...names], names[0]);
  }

  protected async store(event: OutgoingEvent, isKnown: boolean): Promise<void> {
    const { session, stream, id, text, last, replacesAll } = event;
    const { maxEvents, maxEventBytes, eventTtl } = this.bounds;
    const bounds = [String(maxEvents), String(maxEventBytes), lifetime(eventTtl)];
    const args = [stream, id, text, bit(last), ...bounds, bit(replacesAll), bit(isKnown)];
    await appendEvent.runInOrder(this.connection, this.keys.events(session), args);
  }
}

function bit(value: boolean | undefined): string {
  return value ? '1' : '0';
}
