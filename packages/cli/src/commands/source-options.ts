import { Option, type Command } from 'commander';
import { addHeader, parseUrl } from './remote-options.js';

export interface SourceOptions {
  project: string;
  url?: URL;
  header: Record<string, string>;
}

/** Adds the options of every command that reads tools from a project or a running server. */
export function addSourceOptions(command: Command): Command {
  return command
    .option('-p, --project <tsconfig>', 'the built project whose tools are read', 'tsconfig.json')
    .addOption(new Option('-u, --url <url>', 'read them from a running server instead').argParser(parseUrl))
    .option('-H, --header <name: value>', 'an HTTP header to send to it; may be repeated', addHeader, {});
}
