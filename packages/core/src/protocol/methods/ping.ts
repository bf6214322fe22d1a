import type { Method } from '../engine.js';

export const ping: Method = { name: 'ping', handle: () => '{}' };
