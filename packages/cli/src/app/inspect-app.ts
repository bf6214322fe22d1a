import { CommandError, type Terminal, styleFor } from '@toolwright/operate/terminal';
import type { InspectedMethod } from '../build/boot-diagnostics.js';
import type { ShownEntry } from '../output/format-tools.js';
import type { AppSnapshot } from './app-snapshot.js';
import { lookAtApp } from './look-at-app.js';

/**
 * Says of each method whether a server of the app lists it, and adds the tools that the app adds while it runs. If the
 * app cannot be loaded, each entry has a diagnostic that says why: `inspect` shows what is known.
 */
export async function inspectApp(
  entries: readonly InspectedMethod[],
  app: string,
  terminal: Terminal,
): Promise<ShownEntry[]> {
  try {
    return withServer(entries, await lookAtApp(app, terminal.cwd), app);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { message } = error;
    terminal.err(`${styleFor(terminal).yellow('warning TW_APP_UNLOADABLE:')} ${message}`);
    const diagnostic = {
      code: 'TW_APP_UNLOADABLE',
      severity: 'warning',
      message,
      file: app,
      line: 1,
      column: 1,
    } as const;
    return entries.map((entry) => ({ ...entry, diagnostics: [...entry.diagnostics, diagnostic] }));
  }
}

function withServer(
  entries: readonly InspectedMethod[],
  { operations, explained }: AppSnapshot,
  app: string,
): ShownEntry[] {
  const listed = new Set(operations.map(({ key }) => key));
  // Schedules run without a client, so no list has them.
  const shown = entries.map((entry) =>
    entry.schedule ? entry : { ...entry, served: listed.has(entry.key) },
  );
  const added = explained
    .filter(({ key }) => key === undefined)
    .map(({ name, description, input, output }): ShownEntry => ({
      key: `${app}#${name}`,
      name,
      ...(description !== undefined && { description }),
      input,
      output,
      wrap: false,
      stream: false,
      flatten: false,
      inject: [],
      revive: {},
      diagnostics: [],
      served: true,
      added: true,
    }));
  return [...shown, ...added];
}
