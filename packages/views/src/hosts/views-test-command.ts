import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmulatedHost } from './emulated-host.js';
import { examine } from './examine-view.js';
import { hostProfiles } from './host-profiles.js';
import { MissingPartError, openBrowser, readAxe } from './open-browser.js';
import {
  type ReportedCase,
  type ViewsToRead,
  type ViewClient,
  readViews,
  viewServerOf,
} from './read-views.js';
import { type ViewReport, casesOf, describeReports, hasFailed } from './views-report.js';

/** What the command line gives to the command. */
export interface ViewsConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Writes a value for programs. */
  json(value: unknown): void;
  /** Writes a report in the form of JUnit. */
  report(file: string, name: string, cases: readonly ReportedCase[]): void;
  /** Makes a folder, and those above it. */
  makeFolder(path: string): void;
  /** Opens the server that the options name, and ends it afterwards. */
  withServer<T>(
    target: Readonly<Record<string, unknown>>,
    use: (client: ViewClient) => Promise<T>,
  ): Promise<T>;
}

/** The values of the options. */
export interface ViewsTestValues {
  readonly host?: readonly string[];
  readonly out?: string;
  readonly arguments?: string;
  readonly browser?: string;
  readonly budget?: string;
  readonly json?: boolean;
  readonly junit?: string;
}

/** `toolwright views test`: shows pages in emulations of hosts. */
export const viewsTestCommand = {
  words: ['views', 'test'],
  description: 'show the pages of tools in emulations of hosts, and say what is wrong with them',
  argument: { name: 'view', description: 'a tool or the URI of a page; default: all', optional: true },
  options: [
    { flag: '--app <file>', description: 'the compiled file that serves the app' },
    { flag: '-u, --url <url>', description: 'a running server, in place of an app' },
    { flag: '--stdio <command>', description: 'a server that this command starts' },
    {
      flag: '-H, --header <name: value>',
      description: 'an HTTP header to send, such as Authorization; may be repeated',
      repeated: true,
    },
    { flag: '--as <user>', description: 'sign in as a test user of the local issuer of "toolwright dev"' },
    {
      flag: '--host <host>',
      description: 'show it in this host only; may be repeated',
      repeated: true,
      choices: hostProfiles.map(({ id }) => id),
    },
    { flag: '--arguments <json>', description: 'what to call tools with: {"tool":{…}}' },
    { flag: '--out <folder>', description: 'where pictures and report.json go (default: .views)' },
    { flag: '--budget <kilobytes>', description: 'the greatest weight of a page (default: 300)' },
    { flag: '--browser <file>', description: 'the Chromium to use' },
    { flag: '--json', description: 'print JSON' },
    { flag: '--junit <file>', description: 'write a report in the form of JUnit into this file' },
  ],
  help: [
    '\nEach page is shown in each host, light and dark, at three widths. These are emulations, made of what is public',
    'about the hosts. They find known breakages; only the host itself shows that a page works there.',
    'Exit code 1: a page has a problem, or could not be tried. 2: Playwright, axe-core or a browser is missing.',
    '\nExamples:\n  $ toolwright views test --app dist/main.js\n  $ toolwright views test show_climate --host claude',
  ].join('\n'),
  run: testViews,
};

const PATIENCE_MS = 10_000;

async function testViews(
  wanted: string | undefined,
  values: ViewsTestValues,
  console: ViewsConsole,
): Promise<number> {
  const given = parseArguments(values.arguments);
  const budget = Number(values.budget ?? '300');
  if (!given || !(budget > 0)) {
    console.err(given ? '--budget takes a number of kilobytes.' : '--arguments takes JSON: {"tool":{…}}');
    return 1;
  }
  const folder = resolve(console.cwd, values.out ?? '.views');
  const hosts = hostProfiles.filter(({ id }) => values.host === undefined || values.host.includes(id));
  try {
    const axe = await readAxe(console.cwd);
    const browser = await openBrowser(console.cwd, values.browser);
    try {
      const page = await browser.newPage();
      const examineAll = async (client: ViewClient) => {
        const { makeFolder } = console;
        const options = { hosts, axe, folder, budget: budget * 1024, wanted, given, makeFolder };
        return testOf(client, await EmulatedHost.on(page), options);
      };
      const { reports, untried } = await console.withServer({ ...values }, examineAll);
      await writeFile(join(folder, 'report.json'), JSON.stringify(plainly(reports, untried), null, 2));
      if (values.junit !== undefined)
        console.report(values.junit, 'toolwright views test', casesOf(reports, untried));
      if (values.json) console.json(plainly(reports, untried));
      else for (const line of describeReports(reports, untried)) console.out(line);
      if (reports.length + untried.length > 0) return hasFailed(reports, untried) ? 1 : 0;
      console.err(
        wanted === undefined ? 'No tool of the server names a page.' : `No tool shows "${wanted}".`,
      );
      return 1;
    } finally {
      await browser.close();
    }
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    console.err(error.message);
    return 2;
  }
}

interface TestOptions extends ViewsToRead {
  readonly hosts: typeof hostProfiles;
  readonly axe: string;
  readonly folder: string;
  readonly budget: number;
  readonly makeFolder: ViewsConsole['makeFolder'];
}

/** Shows all pages of a server that are wanted. */
async function testOf(client: ViewClient, host: EmulatedHost, options: TestOptions) {
  const { hosts, axe, folder, budget, makeFolder } = options;
  const tools = await client.tools();
  const { views, untried } = await readViews(client, tools, options);
  const server = viewServerOf(client, tools);
  const reports: ViewReport[] = [];
  makeFolder(folder);
  for (const view of views) {
    const own = join(folder, view.tool.name.replace(/[^\w.-]/g, '_'));
    makeFolder(own);
    const examinations = [];
    for (const profile of hosts)
      for (const theme of ['light', 'dark'] as const)
        examinations.push(
          await examine(host, profile, theme, {
            view,
            server,
            axe,
            folder: own,
            budget,
            patienceMs: PATIENCE_MS,
          }),
        );
    reports.push({ view, examinations });
  }
  return { reports, untried };
}

function plainly(reports: readonly ViewReport[], untried: unknown): object {
  return {
    views: reports.map(({ view: { tool, uri }, examinations }) => ({ tool: tool.name, uri, examinations })),
    untried,
  };
}

function parseArguments(text: string | undefined): ViewsToRead['given'] | undefined {
  if (text === undefined) return {};
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as ViewsToRead['given']) : undefined;
  } catch {
    return undefined;
  }
}
