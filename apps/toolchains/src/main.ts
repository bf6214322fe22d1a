import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';
import { Clock, StandingClock } from './clock.js';
import { GREETING } from './greeting.js';
import { PageTools } from './page-tools.js';

/** Not awaited at the top level, because CommonJS cannot do that. */
async function main(): Promise<void> {
  const server = await createMcpServer({
    name: 'toolchains',
    version: '1.0.0',
    services: [PageTools],
    providers: [
      { provide: Clock, useClass: StandingClock },
      { provide: GREETING, useValue: { text: 'Hi.' } },
    ],
  });
  await serveStdio(server);
}

void main();
