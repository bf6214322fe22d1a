import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DataSubject } from '@toolwright/core/ports';
import { CommandError, exitCodes } from '../command-error.js';
import type { SubjectData, SubjectFigure } from '../subject/subject-data.js';
import { visibleJson } from '../terminal/visible-text.js';
import type { AddCommand, CommandContext } from './command-context.js';

interface SubjectFlags {
  database?: string;
  pglite?: string;
  schema?: string;
  taskSchema?: string;
  redis?: string;
  redisPrefix?: string;
  secrets: string;
  server?: string;
  proxy?: string;
  out?: string;
  yes?: boolean;
}

const places: readonly (readonly [flag: string, description: string])[] = [
  ['--database <url>', 'the PostgreSQL of the app; default: DATABASE_URL'],
  ['--pglite <folder>', 'the folder of an embedded PostgreSQL, while the app does not run'],
  ['--schema <name>', 'the schema of its stores; default: toolwright'],
  ['--task-schema <name>', 'the schema of its tasks; default: toolwright'],
  ['--redis <url>', 'the Redis of the app; default: REDIS_URL'],
  ['--redis-prefix <text>', 'what its keys begin with; default: toolwright:'],
  ['--server <name>', 'the name of the server, to open what its tasks say'],
  ['--proxy <issuer>', "the issuer of the app's own authorization proxy, if it has one"],
];

/** What is kept about a person, to hand it out or to erase it. It is all that the packages of the app have stored. */
export const addSubject: AddCommand = (program, context) => {
  const group = program
    .command('subject')
    .description('export or erase what an app keeps about a person or a program')
    .addHelpText(
      'after',
      '\nRun it in the folder of the app. An issuer of - stands for callers without one.' +
        '\n\nThe audit log is not touched: see docs/personal-data.md.',
    );
  const add = (name: string, description: string) => {
    const command = group
      .command(name)
      .description(description)
      .argument('<issuer>', 'the issuer of the subject, or -')
      .argument('<subject>', 'the subject, as its tokens say it')
      .option('--secrets <name>', 'the variable with the secrets of the server', 'SECRETS');
    for (const [flag, text] of places) command.option(flag, text);
    return command;
  };
  add('export', 'print all of it as JSON')
    .option('--out <file>', 'write it to a new file that only you can read')
    .action((issuer: string, subject: string, flags: SubjectFlags) =>
      withData(context, flags, (data) => exportSubject(context, data, { of: named(issuer, subject), flags })),
    );
  add('erase', 'say how much there is, or erase it with --yes')
    .option('--yes', 'erase it')
    .action((issuer: string, subject: string, flags: SubjectFlags) =>
      withData(context, flags, (data) => eraseSubject(context, data, { of: named(issuer, subject), flags })),
    );
};

function named(issuer: string, subject: string): DataSubject {
  if (issuer === '' || subject === '')
    throw new CommandError('Neither the issuer nor the subject may be empty.', exitCodes.usage);
  return { issuer: issuer === '-' ? undefined : issuer, subject };
}

async function withData(
  { terminal }: CommandContext,
  flags: SubjectFlags,
  act: (data: SubjectData) => Promise<void>,
): Promise<void> {
  const { DATABASE_URL, REDIS_URL } = process.env;
  const { database = DATABASE_URL || undefined, redis = REDIS_URL || undefined } = flags;
  if (database === undefined && redis === undefined && flags.pglite === undefined)
    throw new CommandError(
      'Set DATABASE_URL or REDIS_URL, or pass --database, --pglite or --redis: where the app keeps what it shares.',
      exitCodes.usage,
    );
  const secrets = (process.env[flags.secrets] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0)
    throw new CommandError(
      `Set ${flags.secrets} to the secrets of the server, with blanks between them.`,
      exitCodes.usage,
    );
  const { openSubjectData } = await import('../subject/open-subject-data.js');
  try {
    const data = await openSubjectData({ ...flags, database, redis, secrets }, terminal.cwd);
    try {
      await act(data);
    } finally {
      await data.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError((error as Error).message);
  }
}

interface Asked {
  readonly of: DataSubject;
  readonly flags: SubjectFlags;
}

async function exportSubject(
  { terminal, exit }: CommandContext,
  data: SubjectData,
  { of, flags }: Asked,
): Promise<void> {
  const exported = await data.export(of, new Date());
  const text = `${visibleJson(exported)}\n`;
  for (const note of data.notes) terminal.err(note);
  if (flags.out === undefined) await terminal.write(text);
  else {
    await writeNew(resolve(terminal.cwd, flags.out), text);
    terminal.out(`${flags.out} has ${sumOf(figuresOf(exported.records))} records.`);
  }
  const unread = Object.entries(exported.unreadable);
  for (const [kind, count] of unread) terminal.err(unreadable(kind, count));
  exit(unread.length > 0 ? exitCodes.failed : exitCodes.ok);
}

/** Nobody else can read it, and nothing is overwritten. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(`${path} is there already. Name a new file.`, exitCodes.usage);
  }
}

const figuresOf = (records: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(records).map(([kind, found]) => ({ kind, records: found.length, unreadable: 0 }));
const sumOf = (figures: readonly SubjectFigure[]) => figures.reduce((sum, { records }) => sum + records, 0);
const unreadable = (kind: string, count: number) =>
  `${kind}: ${count} could not be opened with these secrets, so nobody knows whose they are.`;

async function eraseSubject(
  { terminal, exit }: CommandContext,
  data: SubjectData,
  { of, flags }: Asked,
): Promise<void> {
  for (const note of data.notes) terminal.err(note);
  const before = await data.count(of);
  const unread = before.filter((figure) => figure.unreadable > 0);
  for (const { kind, unreadable: count } of unread) terminal.err(unreadable(kind, count));
  if (!flags.yes) {
    writeFigures(terminal, before);
    if (sumOf(before) > 0) terminal.err('Nothing was erased. Run it again with --yes.');
    if (unread.length > 0) return exit(exitCodes.failed);
    return exit(sumOf(before) > 0 ? exitCodes.usage : exitCodes.ok);
  }
  const { figures, failures } = await data.erase(of);
  writeFigures(terminal, figures);
  for (const { message } of failures) terminal.err(message);
  // Somebody may have called while this ran.
  const left = sumOf(await data.count(of));
  if (left > 0) terminal.err(`${left} records are there again or still. Keep the subject out first.`);
  exit(left > 0 || failures.length > 0 || unread.length > 0 ? exitCodes.failed : exitCodes.ok);
}

function writeFigures(terminal: CommandContext['terminal'], figures: readonly SubjectFigure[]): void {
  for (const { kind, records } of figures) terminal.out(`${kind}: ${records}`);
}
