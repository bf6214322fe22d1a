import { resolve } from 'node:path';
import type { ClientOptions, McpClient } from '@toolwright/client';
import { canonicalJson, type PackageCommand, showHiddenInLine } from '@toolwright/json';
import type { DescribeChanges } from '../compare/compare-answers.js';
import { RecordingError } from '../errors.js';
import { CallerUnknownError, type OpenPlayer, type Opening } from '../play/player.js';
import { replay } from '../play/replay.js';
import type { ReplayReport } from '../play/replay-report.js';
import { callerName } from '../read/kept-call.js';
import { readRecording, type TrafficRecording } from '../read/read-recording.js';
import { comparedIn, reportLines } from './report-lines.js';

/** A server that the options name, as the command line reaches it. */
export interface ReplayedServer {
  /** True for standard input and output, where a server has one user. */
  readonly hasOneUser: boolean;
  /** True if the person signs in. */
  readonly isSignedIn: boolean;
  /** The test users of its local issuer. */
  testUsers(): Promise<readonly string[]>;
  connect(client: Partial<ClientOptions>, as?: string): Promise<McpClient>;
}

/** Where the command writes to, and how it reaches servers. */
export interface ReplayConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Writes a value for programs. */
  json(value: unknown): void;
  withServer<T>(
    values: Readonly<Record<string, unknown>>,
    use: (server: ReplayedServer) => Promise<T>,
  ): Promise<T>;
  changes?: DescribeChanges;
}

const exitCodes = { same: 0, differs: 1, unusable: 2 } as const;

/** `toolwright replay`: sends the calls of a recording to a server, and shows what differs. */
export const replayCommand: PackageCommand<ReplayConsole> = {
  words: ['replay'],
  description: 'send the calls of a recording to another build, and show what differs',
  argument: { name: 'file', description: 'the recording, of "toolwright record" or the console' },
  options: [
    { flag: '-u, --url <url>', description: 'the endpoint of the server (http://127.0.0.1:3000/mcp)' },
    {
      flag: '-a, --app <command>',
      description: 'start this HTTP app, or this compiled file, and stop it afterwards',
    },
    { flag: '-s, --stdio <command>', description: 'start this server on standard input and output' },
    { flag: '--server <name>', description: 'a server that .mcp.json or another file of settings names' },
    { flag: '--config <file>', description: 'the file of settings that names it' },
    {
      flag: '-H, --header <name: value>',
      description: 'an HTTP header to send; may be repeated',
      repeated: true,
    },
    { flag: '--as <user>', description: 'sign in as a test user of the local issuer' },
    { flag: '--only <subject>', description: 'only the calls of this caller' },
    { flag: '--all', description: 'also call tools that do not say that they only read' },
    {
      flag: '--ignore <name>',
      description: 'do not compare members of this name; may be repeated',
      repeated: true,
    },
    {
      flag: '--min <count>',
      description: 'how many calls must be replayed and compared; default: half of them',
    },
    { flag: '--json', description: 'print JSON' },
  ],
  help: [
    '\nEach call is sent as its own caller: as the test user of that name of "toolwright dev", or, for one caller, as the person of --header, --as or "toolwright login".',
    'Ids and times that each run makes anew are the same. How long calls took never makes a replay fail.',
    '\nExit codes: 0 the same; 1 something differs, or too few calls were replayed and compared (--min); 2 the recording cannot be read.',
    '\nExamples:\n  $ toolwright replay recording.jsonl\n  $ toolwright replay --app dist/main.js recording.jsonl' +
      '\n  $ toolwright replay --stdio "node dist/main.js --stdio" recording.jsonl --ignore took',
  ].join('\n'),
  run: runReplay,
};

async function runReplay(
  file: string,
  values: Readonly<Record<string, unknown>>,
  console: ReplayConsole,
): Promise<number> {
  const min = values['min'] === undefined ? undefined : Number(values['min']);
  if (min !== undefined && !(Number.isSafeInteger(min) && min >= 0)) {
    console.err('--min is a number of calls.');
    return exitCodes.unusable;
  }
  let recording: TrafficRecording;
  try {
    recording = await readRecording(resolve(console.cwd, file));
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    console.err(showHiddenInLine(error.message));
    return exitCodes.unusable;
  }
  const all = values['all'] === true;
  if (recording.isTorn) console.err('The last line of the recording is not whole. It is left out.');
  if (all)
    console.err(
      '--all: tools that change or delete things are called, too. Use a server whose data may be lost.',
    );
  const only = values['only'] as string | undefined;
  const report = await console.withServer(values, async (server) =>
    replay(recording, {
      open: await opening(server, callersIn(recording, only), values),
      all,
      only,
      ignore: (values['ignore'] as readonly string[] | undefined) ?? [],
      changes: console.changes,
    }),
  );
  const wanted = min ?? Math.ceil(report.counts.calls / 2);
  if (values['json'] === true) console.json(report);
  else for (const line of reportLines(report, wanted)) console.out(showHiddenInLine(line));
  return exitCodeOf(report, wanted);
}

/** A replay that replays next to nothing must not look like one that found nothing. */
function exitCodeOf(report: ReplayReport, wanted: number): number {
  const compared = comparedIn(report);
  return report.differing.length > 0 || compared === 0 || compared < wanted
    ? exitCodes.differs
    : exitCodes.same;
}

/** How many callers with an identity a recording has. */
function callersIn({ messages }: TrafficRecording, only: string | undefined): number {
  const known = messages.flatMap(({ principal }) =>
    principal && (only === undefined || principal.subject === only) ? [canonicalJson(principal)] : [],
  );
  return new Set(known).size;
}

/** Opens clients by the house's own way to be somebody: test users of `dev`, or the one person who signs in. */
async function opening(
  server: ReplayedServer,
  callers: number,
  { header, only }: Readonly<Record<string, unknown>>,
): Promise<OpenPlayer> {
  const users = await server.testUsers();
  const hasHeader = Object.keys(header ?? {}).length > 0;
  return ({ caller, client }: Opening) => {
    if (!caller) return server.connect(client);
    const name = callerName(caller);
    if (server.isSignedIn || server.hasOneUser) {
      if (callers === 1) return server.connect(client);
      const who = server.hasOneUser
        ? 'on standard input and output a server has one user'
        : 'you sign in as one caller';
      return refuse(`${who}, and the recording has ${callers}: choose one with --only`);
    }
    if (users.includes(caller.subject)) return server.connect(client, caller.subject);
    // Whoever names one caller and sends a header says who they are by it.
    if (only !== undefined && hasHeader && callers === 1) return server.connect(client);
    return refuse(
      `${name} is not a test user of this server: sign in with --header and add --only ${caller.subject}`,
    );
  };
}

const refuse = (why: string) => Promise.reject(new CallerUnknownError(why));
