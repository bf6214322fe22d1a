import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PORT_FILE } from '../peers/xmcp-source.js';
import { runContestant } from './contestant-process.js';
import { untilListening } from './listen.js';

/** xmcp, as it was built: see `peers/`. Its program listens as soon as it is loaded. */
void runContestant(async ({ generated }) => {
  const folder = join(generated, 'xmcp');
  const port = Number(readFileSync(join(folder, PORT_FILE), 'utf8'));
  const program = join(folder, 'dist', 'http.js');
  createRequire(program)(program);
  await untilListening(port);
  return port;
});
