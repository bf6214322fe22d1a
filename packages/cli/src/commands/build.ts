import { MANIFEST_FILE } from '@toolwright/manifest';
import type { AddCommand } from '@toolwright/operate';

export const addBuild: AddCommand = (program, { terminal, exit }) => {
  program
    .command('build')
    .description('compile the signatures of decorated methods to a manifest')
    .option('-p, --project <tsconfig>', 'the tsconfig whose classes are compiled', 'tsconfig.json')
    .option('-o, --out <file>', 'where to write the manifest', MANIFEST_FILE)
    .option('-w, --watch', 'build again whenever a source file changes')
    .addHelpText(
      'after',
      '\nErrors and warnings are printed as file:line:column: code: message. If there is an error, nothing is written.' +
        '\n\nExample:\n  $ tsc && toolwright build',
    )
    .action(async ({ project, out, watch }: { project: string; out: string; watch?: true }) => {
      const { ManifestBuild } = await import('../build/manifest-build.js');
      const build = new ManifestBuild({ project, out }, terminal);
      if (watch) {
        const { watchBuild } = await import('../build/manifest-build.js');
        return watchBuild(build, terminal);
      }
      exit(await build.run());
    });
};
