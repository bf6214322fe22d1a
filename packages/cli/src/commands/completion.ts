import { Argument } from 'commander';
import { type AddCommand, addAuditCommands } from '@toolwright/operate';

const shells = ['bash', 'zsh', 'fish'] as const;

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
      const { completedCommands } = await import('../completion/completion-script.js');
      const { bashScript } = await import('../completion/completion-script.js');
      const { fishScript } = await import('../completion/completion-script.js');
      const { zshScript } = await import('../completion/completion-script.js');
      const audit = program.commands.find((command) => command.name() === 'audit')!;
      await addAuditCommands(audit, context);
      const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
      await terminal.write(`${write(program.name(), completedCommands(program)).trimEnd()}\n`);
    });
};
