import { Script } from './script.js';

/**
 * Appends an event to those of its session, and removes the oldest ones while there are too many. An event
 * that is larger than all may be together ends the replay: a replay must have no hole.
 *
 * ARGV: stream, id, text, 1 for the last one; most events, most bytes, milliseconds until all are forgotten;
 * 1 when earlier events cannot be replayed, 1 when the event may be there already.
 */
export const appendEvent = new Script(`
local events, bytes = KEYS[1], KEYS[2]
local stream, id, text, last = unpack(ARGV, 1, 4)
local most, mostBytes, life = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
if ARGV[8] == '1' or #text > mostBytes then redis.call('DEL', events, bytes) end
if #text > mostBytes then return 0 end
if ARGV[9] == '1' then
  for _, entry in ipairs(redis.call('XRANGE', events, '-', '+')) do
    if entry[2][2] == stream and entry[2][4] == id then return 0 end
  end
end
redis.call('XADD', events, '*', 'stream', stream, 'id', id, 'text', text, 'last', last)
local total = redis.call('INCRBY', bytes, #text)
local kept = redis.call('XLEN', events)
while kept > 1 and (kept > most or total > mostBytes) do
  local oldest = redis.call('XRANGE', events, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', events, oldest[1])
  total = redis.call('DECRBY', bytes, #(oldest[2][6] or ''))
  kept = kept - 1
end
redis.call('PEXPIRE', events, life)
redis.call('PEXPIRE', bytes, life)
return kept
`);
