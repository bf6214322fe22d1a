import { resolve } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { Option } from 'commander';
import { configOption, headerOption, parseUrl, serverOption } from '../remote/remote-options.js';
import { requireApp } from '../app/require-app.js';
import { appOption } from './remote.js';
import { type Terminal, describeError, styleFor, visibleJson } from '@toolwright/operate/terminal';

interface InspectOptions {
  project: string;
  app?: string;
  json?: true;
  url?: URL;
  server?: string;
  config?: string;
  header: Record<string, string>;
}

/** A program that reads the JSON always gets valid JSON. Without a project the list is empty. */
function noEntries(error: unknown, terminal: Terminal): never[] {
  terminal.err(`${styleFor(terminal).red('error:')} ${describeError(error)}`);
  return [];
}

export const addInspect: AddCommand = (program, { terminal }) => {
  program
    .command('inspect')
    .description('show what the compiler makes of every decorated method, or what a running server offers')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are compiled', 'tsconfig.json')
    .addOption(appOption())
    .addOption(
      new Option('-u, --url <url>', 'look at a running server instead').argParser(parseUrl).conflicts('app'),
    )
    .addOption(serverOption().conflicts(['url', 'app']))
    .addOption(configOption())
    .addOption(headerOption('an HTTP header to send to it; may be repeated'))
    .option('--json', 'print everything as JSON: schemas, revivals, diagnostics')
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright inspect\n  $ toolwright inspect --json | jq ".[].name"\n  $ toolwright inspect --server github',
    )
    .action(async ({ project, app, json, url, ...place }: InspectOptions) => {
      if (url || place.server !== undefined || place.config !== undefined) {
        const { inspectServer } = await import('../remote/inspect-server.js');
        return inspectServer({ url: url ?? new URL('http://127.0.0.1'), json, ...place }, terminal);
      }
      const { inspectEverything } = await import('../build/boot-diagnostics.js');
      const inspected = inspectEverything(resolve(terminal.cwd, project));
      const compiled = await (json ? inspected.catch((error) => noEntries(error, terminal)) : inspected);
      const { inspectApp } = await import('../app/inspect-app.js');
      const entries = app === undefined ? compiled : await inspectApp(compiled, app, terminal);
      if (json) return terminal.out(visibleJson(entries));
      const { formatEntries } = await import('../output/format-tools.js');
      for (const line of formatEntries(entries, terminal)) terminal.out(line);
    });
};

interface ExplainOptions {
  project: string;
  app?: string;
  tenant?: string;
  json?: true;
}

export const addExplain: AddCommand = (program, { terminal }) => {
  program
    .command('explain')
    .description('show the schemas of a tool, where each keyword comes from, and the steps of a call')
    .argument('<tool>', 'name of the tool, or of a schedule')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are compiled', 'tsconfig.json')
    .addOption(appOption())
    .option('--tenant <tenant>', 'with --app: show the tool that callers of this tenant get')
    .option('--json', 'print the explanation as JSON')
    .addHelpText(
      'after',
      "\nThe steps come from the compiled classes and a server's default options, so build first." +
        '\n\nExample:\n  $ tsc && toolwright explain search_pages',
    )
    .action(async (tool: string, { project, app, tenant, json }: ExplainOptions) => {
      requireApp({ app, tenant });
      const { explainTool } = await import('../explain/explain-tool.js');
      const { lookAtApp } = await import('../app/look-at-app.js');
      const seen = app === undefined ? undefined : await lookAtApp(app, terminal.cwd, { tenant });
      const explanation = await explainTool(tool, resolve(terminal.cwd, project), seen);
      if (json) return terminal.out(visibleJson(explanation));
      const { formatExplanation } = await import('../explain/explain-tool.js');
      for (const line of formatExplanation(explanation, terminal)) terminal.out(line);
    });
};
