import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppOptionsError } from './app-options.js';
import { askForApp, canAsk, defaultFolder } from './ask-for-app.js';
import { createApp } from './create-app.js';
import { nextSteps, setUpApp } from './set-up-app.js';

const usage = `Usage: npm create toolwright@latest <folder> -- [options]

  --transport http|stdio|both  how clients reach the server (http)
  --auth none|jwt|keys|grants  what callers need: nothing, an access token, or an API key (none);
                               grants: an access token, and a tool calls another API for its user
  --db none|pglite             where the notes are kept (none: in memory)
  --test node|vitest|jest      what runs its tests (node: no package to install)
  --module esm|cjs             ES modules or CommonJS (esm)
  --tools list|search          all tools in one list, or a search once the list is long (list)
  --view none|preact|react     a component that shows a result in chats (none)
  --no-install                 write the files only
  --yes                        ask nothing, and use the values in brackets
`;

const flags = {
  transport: { type: 'string' },
  auth: { type: 'string' },
  db: { type: 'string' },
  test: { type: 'string' },
  module: { type: 'string' },
  tools: { type: 'string' },
  view: { type: 'string' },
  'no-install': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  if (values.help) return print(usage);
  const taken = takenByNpm(positionals);
  if (taken !== undefined) throw new AppOptionsError(taken);
  if (positionals.length > 1) throw new AppOptionsError(`One folder, not ${positionals.length}.`);
  const { yes, 'no-install': bare, ...words } = values;
  const [folder] = positionals;
  const made =
    !yes && canAsk(process)
      ? await askForApp({ folder, words }, process.cwd())
      : { folder: folder ?? defaultFolder, words };
  if (!made) return fail('Nothing was written.');
  const directory = resolve(made.folder);
  const { transport } = createApp({ directory, words: made.words }).options;
  if (!bare && !setUpApp(directory, process.env))
    return fail(`${made.folder} was written, and could not be set up.`);
  return print(nextSteps({ directory, transport, installed: !bare }, process.cwd()));
}

/**
 * Without `--`, npm takes the options for its own. It passes them on as variables, and no value of them reaches the app.
 *
 * @returns what to write instead
 */
function takenByNpm(positionals: readonly string[]): string | undefined {
  if (process.env['npm_command'] !== 'init') return undefined;
  const withValue = Object.entries(flags).flatMap(([name, { type }]) => (type === 'string' ? [name] : []));
  const lost = withValue.filter((name) => process.env[`npm_config_${name}`] !== undefined);
  if (lost.length === 0) return undefined;
  const values = lost.map((name) => {
    const value = process.env[`npm_config_${name}`];
    return `--${name} ${value === 'true' || value === '' ? (positionals[1] ?? '<value>') : value}`;
  });
  return `npm took --${lost.join(' and --')} for its own: "--" is missing. Write: npm create toolwright@latest ${positionals[0] ?? 'my-server'} -- ${values.join(' ')}`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}

/** Wrong words are a mistake of the caller. Any other error is a defect, and its stack trace is printed. */
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
