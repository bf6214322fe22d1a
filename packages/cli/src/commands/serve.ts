import type { AddCommand } from '@toolwright/operate';
import { addPackageCommand } from './package-command.js';

/** The package reads the file and mounts the servers. What serves them is here, so that a gateway needs no app. */
export const addServe: AddCommand = (program, context) =>
  addPackageCommand(
    program,
    {
      words: ['serve'],
      description: 'serve the MCP servers of a configuration file as one, with guards and an audit log',
      usage: '<config> [--port <port>] [--stdio] [--console [port]]',
      package: '@toolwright/mount',
    },
    context,
    () =>
      Promise.resolve({
        serving: {
          http: () => import('@toolwright/http'),
          stdio: () => import('@toolwright/stdio'),
          audit: () => import('@toolwright/audit'),
          console: () => import('@toolwright/console'),
        },
      }),
  );
