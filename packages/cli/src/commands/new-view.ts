import { type Command } from 'commander';
import { dirname, relative, resolve, sep } from 'node:path';
import type { CommandContext } from '@toolwright/operate';
import { currentText } from '@toolwright/operate/terminal';
import type { FileChange, Offer } from '../changes/file-change.js';
import { addPackageCommand } from './package-command.js';

/** The package of the app has the files, so that they fit the views that it builds. */
export function addNewView(group: Command, context: CommandContext): void {
  const view = {
    words: ['new', 'view'],
    description: 'add a view, with the tool that shows it: table, chart, form or record',
    usage: '[options] <kind>',
    package: '@toolwright/views',
    isForDevelopment: true,
  };
  addPackageCommand(group, view, context, scaffolding);
}

/** An app, as far as somebody who adds files to it must know it. */
interface AppToAddTo {
  /** The folder of the project. */
  readonly root: string;
  /** The folder for new classes. */
  readonly folder: string;
  /** The program that installs its packages. */
  readonly packageManager: string;
  /** Plans how a class gets into the services of the server. */
  register(added: { className: string; module: string }): { changes: FileChange[]; notes: string[] };
  /** Plans how a folder is left out of what the compiler of the server sees. */
  leaveOut(folder: string): { changes: FileChange[]; notes: string[] };
}

/** What the package needs of the command line: it knows the project, and shows and writes changes. */
async function scaffolding({ terminal }: CommandContext): Promise<object> {
  const { offerChanges } = await import('../changes/file-change.js');
  const { findServers, planRegistration, sourceFolder } = await import('../scaffold/plan-registration.js');
  const { packageManagerOf } = await import('create-toolwright');
  const edits = await import('@toolwright/codemod');
  return {
    openApp(project: string, dir?: string): AppToAddTo {
      const path = resolve(terminal.cwd, project);
      const layout = edits.projectLayout(path);
      const { root, importEnding } = layout;
      const servers = findServers(layout);
      const target =
        dir !== undefined ? resolve(root, dir) : servers[0] ? dirname(servers[0].path) : sourceFolder(layout);
      return {
        root,
        folder: target,
        packageManager: packageManagerOf(root, terminal.env),
        register: (added) => planRegistration(added, servers, { target, importEnding, edits }),
        leaveOut(folder) {
          const name = relative(root, folder).split(sep).join('/');
          const before = currentText(path)!;
          const after = edits.excludeFolder(path, before, name);
          if (after === undefined)
            return { changes: [], notes: [`Add "${name}" to the "exclude" of ${project}.`] };
          return { changes: after === before ? [] : [{ path, before, after }], notes: [] };
        },
      };
    },
    offer: (offer: Offer) => offerChanges(offer, terminal),
  };
}
