import type { AddCommand } from '@toolwright/operate';
import { addPackageCommand } from './package-command.js';

/** The package tries the server as it would mount it. */
export const addMount: AddCommand = (program, context) =>
  addPackageCommand(
    program,
    {
      words: ['mount'],
      description: 'try an MCP server: what it offers, and what to look at before you mount it',
      usage: '[options] <url|command...>',
      package: '@toolwright/mount',
    },
    context,
  );
