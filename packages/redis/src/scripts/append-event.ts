import { Script } from './script.js';

/**
 * Appends an event to those of its session, and removes the oldest ones while there are too many. An event
 * that is larger than all may be together ends the replay: a replay must have no hole.
 *
 * ARGV: 1 when earlier events cannot be replayed, stream, id, text, 1 for the last one, most events, most
 * bytes, milliseconds until all are forgotten.
 */
export const appendEvent = new Script(`
local events, bytes = KEYS[1], KEYS[2]
local most, mostBytes = tonumber(ARGV[6]), tonumber(ARGV[7])
local size = #ARGV[4]
if ARGV[1] == '1' or size > mostBytes then redis.call('DEL', events, bytes) end
if size > mostBytes then return 0 end
redis.call('XADD', events, '*', 'stream', ARGV[2], 'id', ARGV[3], 'text', ARGV[4], 'last', ARGV[5])
local total = redis.call('INCRBY', bytes, size)
local kept = redis.call('XLEN', events)
while kept > 1 and (kept > most or total > mostBytes) do
  local oldest = redis.call('XRANGE', events, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', events, oldest[1])
  total = redis.call('DECRBY', bytes, #oldest[2][6])
  kept = kept - 1
end
redis.call('PEXPIRE', events, ARGV[8])
redis.call('PEXPIRE', bytes, ARGV[8])
return kept
`);
