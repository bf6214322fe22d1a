import type { RecordStore, RecordWrite } from '@toolwright/core/ports';
import type { RedisConnection } from '../connection/connection.js';
import { type Keys, lifetime } from '../keys.js';
import { Script } from './script.js';

/**
 * Writes a record if what is there is what the writer believes, and adds its id to the index of the room. The index says
 * until when each record lives, by the clock of Redis, and forgets the ids of records that are over.
 */
const putRecord = new Script(`
local record, index = KEYS[1], KEYS[2]
local id, value, hasWas, was, ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local now = redis.call('GET', record)
if hasWas == '0' and now then return 0 end
if hasWas == '1' and now ~= was then return 0 end
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', index, '-inf', ms)
if ttl == '' then
  redis.call('SET', record, value)
  redis.call('ZADD', index, '+inf', id)
else
  redis.call('SET', record, value, 'PX', ttl)
  redis.call('ZADD', index, ms + tonumber(ttl), id)
end
return 1
`);

const deleteRecord = new Script(`
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])
`);

/** How many records one command reads. */
const PER_COMMAND = 500;

/**
 * Keeps records in Redis. A record is a key, and each room has an index of its ids. The records of a room are on one node
 * of a cluster, because a script writes both.
 */
export class RedisRecordStore implements RecordStore {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: Keys,
  ) {}

  async get(room: string, id: string): Promise<string | undefined> {
    const [record] = this.keys.record(room, id);
    const value = await this.connection.send(['GET', record], record);
    return value === null ? undefined : String(value);
  }

  async put(room: string, id: string, value: string, { was, ttlMs }: RecordWrite): Promise<boolean> {
    const ttl = ttlMs === undefined ? '' : lifetime(ttlMs);
    const args = [id, value, was === undefined ? '0' : '1', was ?? '', ttl];
    return (await putRecord.run(this.connection, this.keys.record(room, id), args)) === 1;
  }

  async delete(room: string, id: string): Promise<boolean> {
    return (await deleteRecord.run(this.connection, this.keys.record(room, id), [id])) === 1;
  }

  async list(room: string): Promise<(readonly [string, string])[]> {
    const found: (readonly [string, string])[] = [];
    for await (const record of this.each(room)) found.push(record);
    return found.sort(([one], [other]) => (one < other ? -1 : 1));
  }

  async *each(room: string): AsyncGenerator<readonly [string, string]> {
    const [, index] = this.keys.record(room, '');
    const ids = (await this.connection.send(['ZRANGE', index, '0', '-1'], index)) as string[];
    for (let from = 0; from < ids.length; from += PER_COMMAND) {
      const some = ids.slice(from, from + PER_COMMAND).map(String);
      const names = some.map((id) => this.keys.record(room, id)[0]);
      const values = (await this.connection.send(['MGET', ...names], names[0]!)) as (string | null)[];
      for (const [at, value] of values.entries()) if (value !== null) yield [some[at]!, String(value)];
    }
  }
}
