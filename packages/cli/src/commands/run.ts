import type { AddCommand } from '@toolwright/operate';
import { signalled } from '../changes/signalled.js';
import { parsePort } from './dev.js';

interface RunFlags {
  stdio?: true;
  port: number;
  console: boolean;
}

export const addRun: AddCommand = (program, { terminal, exit }) => {
  program
    .command('run')
    .description('serve one file of TypeScript, without a project')
    .argument('<file>', 'a file with a decorated class, such as weather.ts')
    .option('--stdio', 'serve on standard input and output, in place of HTTP')
    .option(
      '--port <port>',
      'the port of HTTP; 0: any free one',
      parsePort,
      Number(process.env['PORT'] ?? 3000),
    )
    .option('--no-console', 'do without the console, the page that shows what the server does')
    .addHelpText(
      'after',
      '\nImports of @toolwright/* are those of this command, others come from the folder of the file. An edit is served at once.' +
        '\n\nExamples:\n  $ toolwright run weather.ts\n  $ toolwright run weather.ts --stdio',
    )
    .action(async (named: string, { stdio, port, console: wantsConsole }: RunFlags) => {
      const { SingleFile, fileToRun } = await import('../run-file/single-file.js');
      const { RunSession } = await import('../run-file/run-session.js');
      const { openConsole } = await import('../dev/console/console-host.js');
      const file = new SingleFile(fileToRun(named, terminal.cwd));
      file.prepare();
      process.env['PORT'] = String(port);
      const stopped = signalled();
      const console = wantsConsole ? await openConsole({ project: file.project }, terminal) : undefined;
      exit(await new RunSession({ file, args: stdio ? ['--stdio'] : [], console }, terminal).run(stopped));
    });
};
