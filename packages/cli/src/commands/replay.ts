import type { AddCommand, CommandContext } from '@toolwright/operate';
import type { NamedTarget } from '../remote/named-target.js';
import type { ReachedServer } from '../remote/reach-server.js';
import { addPackageCommand } from './package-command.js';
import { startApp } from './start.js';

const PACKAGE = '@toolwright/replay';

/** The package of the app writes the recording, and the app runs as `start` runs it. */
export const addRecord: AddCommand = (program, context) =>
  addPackageCommand(
    program,
    {
      words: ['record'],
      description: 'run a built app, and record what its clients and it say to each other',
      usage: '[options] [entry] [args...]',
      package: PACKAGE,
      isForDevelopment: true,
    },
    context,
    ({ terminal }) =>
      Promise.resolve({
        start: (entry: string | undefined, args: readonly string[]) => startApp(entry, args, terminal.cwd),
      }),
  );

/** The package compares. How servers are reached, and what changed between two contracts, is known here. */
export const addReplay: AddCommand = (program, context) =>
  addPackageCommand(
    program,
    {
      words: ['replay'],
      description: 'send the calls of a recording to another build, and show what differs',
      usage: '[options] <file>',
      package: PACKAGE,
      isForDevelopment: true,
    },
    context,
    reaching,
  );

async function reaching({ terminal }: CommandContext): Promise<object> {
  const { reachServer } = await import('../remote/reach-server.js');
  const { namedTarget } = await import('../remote/named-target.js');
  const { compareContracts } = await import('../contract/compare-contracts.js');
  const { formatChanges } = await import('../contract/change.js');
  type Contracts = Parameters<typeof compareContracts>;
  return {
    withServer: <T>(values: NamedTarget, use: (server: ReachedServer) => Promise<T>): Promise<T> =>
      reachServer(namedTarget(values), terminal, use),
    changes: (before: Contracts[0], after: Contracts[1]) =>
      formatChanges(compareContracts(before, after), { colours: false, columns: undefined }),
  };
}
