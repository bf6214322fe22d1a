import { join, relative } from 'node:path';
import type { AppOptions } from './app-options.js';
import { packageManagerOf } from './package-manager.js';

/** A new app, and what was already done for it. */
export interface MadeApp {
  /** Absolute path. */
  directory: string;
  transport: AppOptions['transport'];
  installed: boolean;
}

/** The commands to type next, for a person in the folder `cwd`. */
export function nextSteps({ directory, transport, installed }: MadeApp, cwd: string): string {
  const manager = packageManagerOf(directory, process.env);
  const folder = relative(cwd, directory);
  const steps = [
    ...(folder ? [`cd ${folder}`] : []),
    ...(installed ? [] : [`${manager} install`, `${manager} test`]),
    ...(transport === 'stdio' ? [] : [`${manager} run dev`]),
  ];
  const reached =
    transport === 'stdio'
      ? `Clients start it with: node ${join(directory, 'dist/main.js')}`
      : 'It prints the address of a console, where you can call your tools.\nClients reach it at: http://127.0.0.1:3000/mcp';
  return `\nDone. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}\n${reached}\nVS Code finds it through .vscode/mcp.json.\n`;
}
