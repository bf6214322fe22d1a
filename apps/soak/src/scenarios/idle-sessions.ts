import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { postBytes } from '../wire/call-bytes.js';
import { keepBusy } from '../wire/keep-busy.js';

const MAX = 1_000;
const IDLE_MS = 1_000;

const initialize = postBytes(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
  }),
);

export const idleSessions: Scenario = {
  name: 'idle-sessions',
  promise: 'sessions never exceed their cap, and unused ones end',
  run: (quick) =>
    withServer(ServerProcess.start({ server: { sessions: { max: MAX, idle: IDLE_MS } } }), async (server) => {
      const opened = quick ? 2_000 : 50_000;
      let refused = 0;
      await keepBusy({
        port: server.port,
        total: opened,
        bytes: () => initialize,
        take(answer) {
          if (answer?.status !== 200) refused++;
        },
      });
      const { sessions: kept } = await server.usage();
      const { sessions: left } = await server.until(({ sessions }) => sessions === 0);
      return [
        { figure: 'sessions opened', value: opened },
        { figure: 'refused', value: refused, atMost: 0 },
        { figure: 'kept', value: kept, atMost: MAX },
        { figure: 'left when unused', value: left, atMost: 0 },
      ];
    }),
};
