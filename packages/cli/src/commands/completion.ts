import { Argument, type Command } from 'commander';
import { type AddCommand, addAuditCommands } from '@toolwright/operate';
import { addRemoteOptions, type RemoteFlags } from '../remote/remote-options.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const addCompletion: AddCommand = (program, context) => {
  const { terminal } = context;
  program
    .command('completion')
    .description('print a script that lets a shell complete toolwright commands')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      '\nThe first line of the script says where to put it.' +
        '\n\nExample:\n  $ source <(toolwright completion bash)',
    )
    .action(async (shell: (typeof shells)[number]) => {
      const { completedCommands, bashScript, fishScript, zshScript } =
        await import('../completion/completion-script.js');
      const { powershellScript } = await import('../completion/powershell-script.js');
      const audit = program.commands.find((command) => command.name() === 'audit')!;
      await addAuditCommands(audit, context);
      const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };
      const write = scripts[shell];
      await terminal.write(`${write(program.name(), completedCommands(program)).trimEnd()}\n`);
    });
  // The scripts ask it for the names of tools, after the words of the line. A mistake gives no names.
  addRemoteOptions(program.command('complete-tools', { hidden: true }), '2s')
    .argument('[words...]')
    .passThroughOptions()
    .action(async (words: string[], flags: RemoteFlags, command: Command) => {
      const { toolNames } = await import('../remote/tool-names.js');
      const isNamed =
        command.getOptionValueSource('url') !== 'default' || Boolean(terminal.env['TOOLWRIGHT_URL']);
      const names = await toolNames({ words, flags, isNamed }, terminal).catch(() => []);
      await terminal.write(names.map((name) => `${name}\n`).join(''));
    });
};
