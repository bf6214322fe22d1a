import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ViewKind } from '../build/tool-view.js';
import { addPackages, libraryOf } from './needed-packages.js';
import { type NewView, type ViewFiles, editorProject, isNewView, newViews, viewFiles } from './view-files.js';

/** A file to write: its text before is undefined if it does not exist. */
export interface PlannedFile {
  path: string;
  before: string | undefined;
  after: string;
}

/** What could be planned, and what a person has to do. */
export interface PlannedView {
  changes: PlannedFile[];
  notes: string[];
}

/** What the command line knows of an app. */
export interface AppOfView {
  /** The folder of the project. */
  readonly root: string;
  /** The folder for new classes. */
  readonly folder: string;
  /** The program that installs its packages: npm, pnpm, yarn or bun. */
  readonly packageManager: string;
  register(added: { className: string; module: string }): PlannedView;
  /** Leaves a folder out of what the compiler of the server sees. */
  leaveOut(folder: string): PlannedView;
}

/** What the command line gives to the command. */
export interface NewViewConsole {
  err(text: string): void;
  /** @throws when the tsconfig cannot be read */
  openApp(tsconfig: string, folder?: string): AppOfView;
  /** Shows the changes, asks, and writes them. @returns the exit code */
  offer(plan: PlannedView & { project: string; yes: boolean }): Promise<number>;
}

export interface NewViewValues {
  readonly as?: ViewKind;
  readonly name?: string;
  readonly project?: string;
  readonly dir?: string;
  readonly yes?: boolean;
}

const USAGE = 2;

/** `toolwright new view`: writes a view and its tool as files that the project then owns. */
export const newViewCommand = {
  words: ['new', 'view'],
  description: 'add a view, with the tool that shows it',
  argument: { name: 'kind', description: Object.keys(newViews).join(', ') },
  options: [
    {
      flag: '--as <library>',
      description: 'what to write it with (default: the library that the project has, or preact)',
      choices: ['preact', 'react', 'plain'],
    },
    { flag: '--name <name>', description: 'the name of the tool, such as list_orders' },
    { flag: '-p, --project <tsconfig>', description: 'the project to add it to (default: tsconfig.json)' },
    {
      flag: '--dir <folder>',
      description: 'where to write it; default: beside the file that makes the server',
    },
    { flag: '-y, --yes', description: 'write without asking' },
  ],
  help: [
    '\n  table   rows with sorting and pages, over a cursor',
    '  chart   bars or lines of figures, with the figures as a table',
    '  form    questions to a person, sent to a tool',
    '  record  one thing with its actions; the server asks before it destroys something',
    '\nShows what it would write and asks. Nothing is overwritten. The files are yours: change all of them.',
    '\nExamples:\n  $ toolwright new view table\n  $ toolwright new view record --name show_ticket --as react',
  ].join('\n'),
  run: writeView,
};

async function writeView(kind: string, values: NewViewValues, console: NewViewConsole): Promise<number> {
  const refuse = (text: string) => {
    console.err(text);
    return USAGE;
  };
  if (!isNewView(kind)) return refuse(`${kind} is no kind of view: ${Object.keys(newViews).join(', ')}.`);
  const app = console.openApp(values.project ?? 'tsconfig.json', values.dir);
  const { as = libraryOf(app.root), name = newViews[kind].name } = values;
  let made: ViewFiles;
  try {
    made = viewFiles(kind, { name, as });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(error.message);
  }
  const taken = [...made.files.keys()].map((file) => join(app.folder, file)).find(existsSync);
  if (taken !== undefined) return refuse(`${taken} already exists. Choose another name with --name.`);
  const { changes, notes } = plan(kind, { app, made, as });
  return console.offer({ changes, notes, project: app.root, yes: values.yes ?? false });
}

function plan(
  kind: NewView,
  { app, made, as }: { app: AppOfView; made: ViewFiles; as: ViewKind },
): PlannedView {
  const { root, folder, packageManager } = app;
  const newFile = (path: string, after: string) => ({ path, before: undefined, after });
  const files = [...made.files].map(([file, text]) => newFile(join(folder, file), text));
  const forEditors = join(folder, 'views/tsconfig.json');
  if (!existsSync(forEditors)) files.push(newFile(forEditors, editorProject(as)));
  const registered = app.register(made);
  const leftOut = app.leaveOut(join(folder, 'views'));
  const packages = addPackages(root, { as, more: newViews[kind].packages });
  const changed = packages && { path: packages.path, before: packages.before, after: packages.after };
  return {
    changes: [
      ...files,
      ...registered.changes,
      ...leftOut.changes,
      ...(changed ? [changed] : []),
      ...ignoreDeclarations(root, join(folder, 'views')),
    ],
    notes: [
      ...registered.notes,
      ...leftOut.notes,
      ...(packages ? [`Install ${packages.added.join(', ')}: ${packageManager} install`] : []),
    ],
  };
}

/** Each build writes the types that views see anew, as it does the manifest. A project without `.gitignore` has its own way. */
function ignoreDeclarations(root: string, folder: string): PlannedFile[] {
  const path = join(root, '.gitignore');
  const line = `${relative(root, folder).split(sep).join('/')}/views.d.ts`;
  if (!existsSync(path)) return [];
  const before = readFileSync(path, 'utf8');
  if (before.split(/\r?\n/).some((each) => each.trim() === line)) return [];
  return [{ path, before, after: `${before}${/(^|\n)$/.test(before) ? '' : '\n'}${line}\n` }];
}
