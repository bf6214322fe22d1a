import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

const CLIENTS = 64;
const IN_FLIGHT = 8;

export const canaries: Scenario = {
  name: 'canaries',
  promise: 'clients that use the same request ids get their own answers alone',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const each = Math.ceil((quick ? 5_000 : 100_000) / CLIENTS / IN_FLIGHT) * IN_FLIGHT;
      let crossings = 0;
      const talk = async (user: string) => {
        const connection = await PipelinedConnection.open(server.port);
        for (let first = 0; first < each; first += IN_FLIGHT) {
          const ids = Array.from({ length: IN_FLIGHT }, (_, offset) => first + offset);
          await Promise.all(
            ids.map(async (id) => {
              const canary = `canary-${user}-${id}`;
              const { status, body } = await connection.send(
                callBytes('canary', { text: canary }, { id, user }),
              );
              const found = body.match(/canary-user-\d+-\d+/g) ?? [];
              const own = found.length > 0 && found.every((seen) => seen === canary);
              if (status !== 200 || !own || !body.includes(`"${user} ${canary}"`)) crossings++;
            }),
          );
        }
        connection.close();
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, index) => talk(`user-${index}`)));
      return [
        { figure: 'calls', value: each * CLIENTS },
        { figure: 'answers that were not the own', value: crossings, atMost: 0 },
      ];
    }),
};
