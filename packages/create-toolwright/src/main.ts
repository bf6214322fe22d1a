import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppOptionsError, flagOf, refuseFormerFlags, valuesOf, views } from './app-options.js';
import { askForApp, canAsk, defaultFolder } from './ask-for-app.js';
import { createApp } from './create-app.js';
import { nextSteps, setUpApp, writeManagerSettings } from './set-up-app.js';

const usage = `Usage: npm create toolwright@latest <folder> -- [options]

  --transport http|stdio|both     how clients reach the server (http)
  --sign-in none|jwt|keys|grants  what callers need: nothing, an access token, or an API key (none);
                                  grants: an access token, and a tool calls another API for its user
  --db none|pglite                where the notes are kept (none: in memory)
  --test node|vitest|jest         what runs its tests (node: no package to install)
  --module esm|cjs                ES modules or CommonJS (esm)
  --tools list|search|code        all tools in one list, a search once the list is long, or programs that
                                  call them (list)
  --with-view none|preact|react   a component that shows a result in chats (none)
  --name <package>                its name on npm, such as @acme/orders (the folder's)
  --files-only                    write the files, and install nothing
  --yes                           ask nothing, and use the values in brackets
`;

const flags = {
  ...Object.fromEntries(Object.values(flagOf).map((flag) => [flag, { type: 'string' }] as const)),
  name: { type: 'string' },
  'files-only': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(): Promise<number> {
  // npm takes the first "--" away. pnpm and Bun pass it on, behind which flags would be folders.
  const args = process.argv.slice(2).filter((word) => word !== '--');
  refuseFormerFlags(args);
  const { values, positionals, tokens } = parseArgs({
    ...{ args, options: flags, allowPositionals: true, tokens: true },
  });
  const given = tokens.flatMap((token) =>
    token.kind === 'option' && token.value !== undefined ? [token.name] : [],
  );
  const twice = given.find((flag, at) => given.indexOf(flag) < at);
  if (twice !== undefined) throw new AppOptionsError(`--${twice} takes one value, and was given twice.`);
  if (values.help) return print(usage);
  const byNpm = process.env['npm_command'] === 'init';
  const taken = byNpm && takenByNpm(positionals);
  if (taken) throw new AppOptionsError(taken);
  if (positionals.length > 1) throw new AppOptionsError(`One folder, not ${positionals.length}.`);
  const words = choicesOf(values);
  const [folder] = positionals;
  const { name } = values;
  // npm also knows --yes, for itself. Who writes it wants no questions of anybody.
  const yes = values.yes ?? (byNpm && process.env['npm_config_yes'] === 'true');
  const made =
    !yes && canAsk(process)
      ? await askForApp({ folder, name, words }, process.cwd())
      : { folder: folder ?? defaultFolder, words };
  if (!made) return fail('Nothing was written.');
  const directory = resolve(made.folder);
  const { options } = createApp({ directory, words: made.words, ...(name !== undefined && { name }) });
  writeManagerSettings(directory, process.env, options);
  const installed = !values['files-only'];
  if (installed && !setUpApp(directory, process.env, process.cwd())) return 1;
  return print(nextSteps({ directory, options, installed }, process.cwd()));
}

/** The values of flags, by the names of the choices. */
function choicesOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(flagOf).map(([choice, flag]) => [choice, values[flag]]));
}

/**
 * Without `--`, npm takes the flags for its own. It passes them on as variables, and no value of them reaches the app.
 *
 * @returns what to write instead
 */
function takenByNpm(positionals: readonly string[]): string | undefined {
  const isLost = (flag: string) => process.env[npmVariable(flag)] !== undefined;
  const lost = [...Object.values(flagOf), 'name', 'files-only'].filter(isLost);
  // What npm makes of two flags of before. Of a third, --auth, it leaves nothing.
  const former = [
    ...(views.includes(process.env['npm_config_viewer'] as never) ? ['view'] : []),
    ...(process.env['npm_config_install'] === '' ? ['no-install'] : []),
  ];
  refuseFormerFlags(former.map((flag) => `--${flag}`));
  if (lost.length === 0) return undefined;
  // npm passes on the values of what it took for switches, and they may stand before the folder.
  const rest = [...positionals];
  const take = (is: (word: string) => boolean | undefined) => {
    const at = rest.findIndex(is);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  };
  const given = new Map(
    lost.map((flag) => {
      const value = process.env[npmVariable(flag)];
      const isSwitch = value === 'true' || value === '';
      return [flag, isSwitch ? take((word) => valuesOf(flag)?.includes(word)) : value];
    }),
  );
  const isNameLeft = given.has('name') && given.get('name') === undefined && rest.length > 1;
  if (isNameLeft) given.set('name', take((word) => word.startsWith('@')) ?? rest.pop());
  const folder = rest[0] ?? defaultFolder;
  const words = lost.map((flag) =>
    flag === 'files-only' ? `--${flag}` : `--${flag} ${given.get(flag) ?? '<value>'}`,
  );
  return `npm took --${lost.join(' and --')} for its own: "--" is missing. Write: npm create toolwright@latest ${folder} -- ${words.join(' ')}`;
}

const npmVariable = (flag: string) => `npm_config_${flag.replaceAll('-', '_')}`;

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}

/**
 * Wrong words are a mistake of the caller. A folder that cannot be written is not our defect either. Of any other error the stack
 * trace is printed.
 */
function report(error: unknown): number {
  const { code, message, stack, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined)
    return fail(`error: The app cannot be written: ${message}. Name another folder.`);
  const isUsage = error instanceof AppOptionsError || (code?.startsWith('ERR_PARSE_ARGS') ?? false);
  // The advice of Node.js would make a folder of the name of the flag.
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
  const said =
    unknown === undefined
      ? message
      : `There is no ${unknown}. There are ${Object.keys(flags)
          .map((flag) => `--${flag}`)
          .join(', ')}.`;
  process.stderr.write(isUsage ? `error: ${said}\n` : `${stack}\n`);
  return isUsage ? 2 : 1;
}

void main()
  .catch(report)
  .then((code) => (process.exitCode = code));
