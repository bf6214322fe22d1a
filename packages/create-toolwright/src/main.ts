import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppOptionsError, auths, databases, transports } from './app-options.js';
import { askFor } from './ask-for.js';
import { createApp } from './create-app.js';
import { setUpApp } from './set-up-app.js';

const usage = `Usage: npm create toolwright@latest <folder> -- [options]

  --transport http|stdio|both  how clients reach the server (http)
  --auth none|jwt              whether callers need an access token (none)
  --db none|pglite             where the notes are kept (none: in memory)
  --no-install                 write the files only
  --yes                        ask nothing
`;

const flags = {
  transport: { type: 'string' },
  auth: { type: 'string' },
  db: { type: 'string' },
  'no-install': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  if (values.help) return print(usage);
  const choices = { transport: transports, auth: auths, db: databases };
  const asked = values.yes || !process.stdin.isTTY ? {} : await askFor(choices, values);
  const directory = resolve(positionals[0] ?? 'my-server');
  createApp({ directory, words: { ...asked, ...values } });
  if (!values['no-install'] && !setUpApp(directory, process.env)) return 1;
  return print(`\nDone. Next:\n\n  cd ${positionals[0] ?? 'my-server'}\n  npm start\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Words that were not understood are the caller's to mend; anything else is a defect and keeps its stack. */
function report(error: unknown): number {
  const { code } = error as { code?: unknown };
  const isUsage =
    error instanceof AppOptionsError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'));
  process.stderr.write(isUsage ? `error: ${(error as Error).message}\n` : `${(error as Error).stack}\n`);
  return isUsage ? 2 : 1;
}

void main()
  .catch(report)
  .then((code) => (process.exitCode = code));
