import { resolve } from 'node:path';
import { visibleJson } from '../terminal/visible-text.js';
import type { AddCommand } from './command-context.js';

interface ExplainOptions {
  project: string;
  json?: true;
}

export const addExplain: AddCommand = (program, { terminal }) => {
  program
    .command('explain')
    .description('show the schemas of a tool, where each keyword comes from, and the steps of a call')
    .argument('<tool>', 'name of the tool, or of a schedule')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are compiled', 'tsconfig.json')
    .option('--json', 'print the explanation as JSON')
    .addHelpText(
      'after',
      "\nThe steps come from the compiled classes and a server's default options, so build first." +
        '\n\nExample:\n  $ tsc && toolwright explain search_pages',
    )
    .action(async (tool: string, { project, json }: ExplainOptions) => {
      const { explainTool } = await import('../explain/explain-tool.js');
      const explanation = await explainTool(tool, resolve(terminal.cwd, project));
      if (json) return terminal.out(visibleJson(explanation));
      const { formatExplanation } = await import('../explain/format-explanation.js');
      for (const line of formatExplanation(explanation, terminal)) terminal.out(line);
    });
};
