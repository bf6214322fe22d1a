import { Script } from './script.js';

/** Leases of a key are the members of a sorted set. The score is the time at which a lease ends. */
const BEGIN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local life = tonumber(ARGV[1])
local function hold(key, lease)
  redis.call('ZADD', key, string.format('%d', now + life), lease)
  if redis.call('PTTL', key) < life then redis.call('PEXPIRE', key, life) end
end
`;

/** Takes a lease of every key, or of none. ARGV: life, name of the lease, the most leases of each key. */
export const takeLeases = new Script(`${BEGIN}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', now))
  if redis.call('ZCARD', key) >= tonumber(ARGV[2 + index]) then return 0 end
end
for index, key in ipairs(KEYS) do hold(key, ARGV[2] .. ':' .. index) end
return 1
`);

/** Renews leases, those that Redis has forgotten included. ARGV: life, the member of each key. */
export const renewLeases = new Script(`${BEGIN}
for index, key in ipairs(KEYS) do hold(key, ARGV[1 + index]) end
return 1
`);

/** ARGV: the member of each key. */
export const endLeases = new Script(`
for index, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[index]) end
return 1
`);
