import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DataOwner } from '@toolwright/core/ports';
import { CommandError, exitCodes, usageError } from '../command-error.js';
import type { SubjectData, SubjectFigure } from '../subject/subject-data.js';
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
  tenant?: string;
  out?: string;
  yes?: boolean;
  audit?: string;
  auditKey?: string;
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

/** What is kept for a person or a tenant, to hand it out or to erase it. It is all that the packages of the app have stored. */
export const addSubject: AddCommand = (program, context) => {
  const group = program
    .command('subject')
    .description('export or erase what is kept about a person, a program or a tenant')
    .addHelpText(
      'after',
      '\nRun it in the folder of the app. An issuer of - stands for callers without one.' +
        '\n\nNothing is taken out of the audit log: see docs/personal-data.md.',
    );
  const add = (name: string, description: string) => {
    const command = group
      .command(name)
      .description(description)
      .argument('[issuer]', 'the issuer of the subject, or -')
      .argument('[subject]', 'the subject, as its tokens say it')
      .option('--tenant <tenant>', 'all that is kept for the callers of this tenant, in place of one subject')
      .option('--secrets <name>', 'the variable with the secrets of the server', 'SECRETS');
    for (const [flag, text] of places) command.option(flag, text);
    return command;
  };
  type Given = [issuer: string | undefined, subject: string | undefined, flags: SubjectFlags];
  add('export', 'print all of it as JSON')
    .option('--out <file>', 'write it to a new file that only you can read')
    .action((...[issuer, subject, flags]: Given) => {
      const owner = ownerOf(issuer, subject, flags);
      return withData(context, flags, (data) => exportData(context, data, { owner, flags }));
    });
  add('erase', 'say how much there is, or erase it with --yes')
    .option('--yes', 'erase it')
    .option('--audit <file>', 'record the erasure in this audit log of the app')
    .option('--audit-key <name>', 'the variable with the key of that log, if it is not beside the log')
    .action((...[issuer, subject, flags]: Given) => {
      const owner = ownerOf(issuer, subject, flags);
      return withData(context, flags, (data) => eraseData(context, data, { owner, flags }));
    });
};

function ownerOf(
  issuer: string | undefined,
  subject: string | undefined,
  { tenant }: SubjectFlags,
): DataOwner {
  if ((tenant === undefined) !== (subject !== undefined) || (tenant !== undefined && issuer !== undefined))
    throw usageError('Name an issuer and a subject, or --tenant.');
  if ([issuer, subject, tenant].includes(''))
    throw usageError('Neither issuer, subject nor tenant may be empty.');
  if (tenant !== undefined) return { tenant };
  return { issuer: issuer === '-' ? undefined : issuer, subject: subject! };
}

async function withData(
  { terminal }: CommandContext,
  flags: SubjectFlags,
  act: (data: SubjectData) => Promise<void>,
): Promise<void> {
  const { DATABASE_URL, REDIS_URL } = process.env;
  const { database = DATABASE_URL || undefined, redis = REDIS_URL || undefined } = flags;
  if (database === undefined && redis === undefined && flags.pglite === undefined)
    throw usageError(
      'Set DATABASE_URL or REDIS_URL, or pass --database, --pglite or --redis: where the app keeps what it shares.',
    );
  const secrets = (process.env[flags.secrets] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0)
    throw usageError(`Set ${flags.secrets} to the secrets of the server, with blanks between them.`);
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
  readonly owner: DataOwner;
  readonly flags: SubjectFlags;
}

async function exportData(
  { terminal, exit }: CommandContext,
  data: SubjectData,
  { owner, flags: { out } }: Asked,
): Promise<void> {
  for (const note of data.notes) terminal.err(note);
  const { writeExport } = await import('../subject/write-export.js');
  const asked = { owner, now: new Date() };
  const figures =
    out === undefined
      ? await writeExport(data, asked, (text) => terminal.write(text))
      : await inNewFile(resolve(terminal.cwd, out), (write) => writeExport(data, asked, write));
  if (out !== undefined) terminal.out(`${out} has ${sumOf(figures)} records.`);
  tellUnsearched(terminal, data, owner);
  const isWhole = !tellUnreadable(terminal, figures) && data.unopened.length === 0;
  exit(isWhole ? exitCodes.ok : exitCodes.failed);
}

/** Nobody else can read the file, and nothing is overwritten. What could not be written as a whole is removed. */
async function inNewFile<T>(path: string, fill: (write: (text: string) => Promise<void>) => Promise<T>) {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw usageError(`${path} is there already. Name a new file.`);
  });
  try {
    return await fill(async (text) => void (await file.write(text)));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const sumOf = (figures: readonly SubjectFigure[]) => figures.reduce((sum, { records }) => sum + records, 0);

/** @returns true when there was something to tell */
function tellUnreadable({ err }: CommandContext['terminal'], figures: readonly SubjectFigure[]): boolean {
  const unread = figures.filter(({ unreadable }) => unreadable > 0);
  for (const { kind, unreadable } of unread)
    err(`${kind}: ${unreadable} could not be opened with these secrets, so nobody knows whose they are.`);
  return unread.length > 0;
}

/** Whoever closes the account of a tenant must know what the figures leave out, too. */
function tellUnsearched({ err }: CommandContext['terminal'], data: SubjectData, owner: DataOwner): void {
  const texts = 'tenant' in owner ? data.unsearchedFor(owner) : data.unopened;
  for (const text of texts) err(`Not looked at: ${text.replace(/\.$/, '')}.`);
}

async function eraseData(
  { terminal, exit }: CommandContext,
  data: SubjectData,
  { owner, flags }: Asked,
): Promise<void> {
  for (const note of data.notes) terminal.err(note);
  const before = await data.count(owner);
  const isUnread = tellUnreadable(terminal, before) || data.unopened.length > 0;
  if (!flags.yes) {
    writeFigures(terminal, before);
    tellUnsearched(terminal, data, owner);
    if (sumOf(before) > 0) terminal.err('Nothing was erased. Run it again with --yes.');
    if (isUnread) return exit(exitCodes.failed);
    return exit(sumOf(before) > 0 ? exitCodes.usage : exitCodes.ok);
  }
  const { figures, failures } = await recorded(terminal, { owner, flags }, () => data.erase(owner));
  writeFigures(terminal, figures);
  tellUnsearched(terminal, data, owner);
  for (const { message } of failures) terminal.err(message);
  // Somebody may have called while this ran.
  const left = sumOf(await data.count(owner));
  if (left > 0)
    terminal.err(`${left} records are there again or still. Keep the ${nounOf(owner)} out first.`);
  exit(left > 0 || failures.length > 0 || isUnread ? exitCodes.failed : exitCodes.ok);
}

type Erased = Awaited<ReturnType<SubjectData['erase']>>;

async function recorded(
  terminal: CommandContext['terminal'],
  { owner, flags: { audit, auditKey } }: Asked,
  erase: () => Promise<Erased>,
): Promise<Erased> {
  if (audit === undefined) {
    if ('tenant' in owner) terminal.err('No audit log has a record of this: --audit does not name one.');
    return erase();
  }
  const key = auditKey === undefined ? undefined : terminal.env[auditKey];
  if (auditKey !== undefined && !key) throw usageError(`Set ${auditKey} to the key of the audit log.`);
  const { recordErasure } = await import('../subject/record-erasure.js');
  return recordErasure(owner, { file: audit, cwd: terminal.cwd, key }, erase);
}

const nounOf = (owner: DataOwner) => ('tenant' in owner ? 'tenant' : 'subject');

function writeFigures(terminal: CommandContext['terminal'], figures: readonly SubjectFigure[]): void {
  for (const { kind, records } of figures) terminal.out(`${kind}: ${records}`);
}
