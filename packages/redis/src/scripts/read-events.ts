import { Script } from './script.js';

/**
 * The events of a stream after one of them, the newest first. It looks from the end on, because a client has
 * usually missed little. ARGV: stream, id.
 */
export const readEvents = new Script(`
local found, before = {}, '+'
while true do
  local entries = redis.call('XREVRANGE', KEYS[1], before, '-', 'COUNT', 16)
  if #entries == 0 then return {} end
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
