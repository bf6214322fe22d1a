import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { WriteOptions } from '../publish/offer-publication.js';
import type { AddCommand, CommandContext } from '@toolwright/operate';

interface RegistryOptions extends WriteOptions {
  name?: string;
  title?: string;
  description?: string;
  remote: string[];
  env: string[];
  argument: string[];
}

export const addPublish: AddCommand = (program, context) => {
  const group = program
    .command('publish')
    .description('write what others need to find, install and run a server');
  addRegistry(group, context);
  addBundle(group, context);
  addImage(group, context);
  addWorkflow(group, context);
};

function addRegistry(group: Command, { terminal, exit }: CommandContext): void {
  const command = group
    .command('registry')
    .description('write server.json, and mcpName in package.json')
    .option('-n, --name <name>', 'the name in the registry; default: io.github.<owner>/<package>')
    .option('--title <title>', 'the name for people')
    .option('--description <text>', 'at most 100 characters; default: that of package.json')
    .option('--remote <url>', 'the public endpoint of the server; may be repeated', collect, [])
    .option(
      '-e, --env <name=default>',
      'a variable for the program; only the name for a secret; may be repeated',
      collect,
      [],
    )
    .option('--argument <word>', 'an argument for the program; may be repeated', collect, []);
  addWriteOptions(command)
    .addHelpText(
      'after',
      '\nKeeps everything in server.json that neither options nor package.json decide.' +
        '\n\nExample:\n  $ toolwright publish registry --env API_KEY --env PAGE_SIZE=20' +
        '\n  $ toolwright publish registry --check',
    )
    .action(async (options: RegistryOptions) => {
      const { offerPublication } = await import('../publish/offer-publication.js');
      const { Missing } = await import('../publish/missing.js');
      const { planRegistry } = await import('../publish/plan-registry.js');
      const { readProject } = await import('../publish/project.js');
      const { registryProblems } = await import('../publish/offer-publication.js');
      const project = readProject(resolve(terminal.cwd));
      const missing = new Missing();
      const updates = planRegistry(project, options, missing);
      const notes =
        project.package.value['private'] === true
          ? ['package.json is private, so server.json lists no package of npm for it.']
          : [];
      const problems = registryProblems(project, updates);
      const errors = problems.filter(({ severity }) => severity === 'error');
      missing.report(errors.map(({ message }) => message));
      const publication = { project: project.directory, updates, files: [], problems, notes };
      exit(await offerPublication(publication, options, terminal));
    });
}

function addBundle(group: Command, { terminal, exit }: CommandContext): void {
  group
    .command('bundle')
    .description('pack the built server for desktop hosts, with its dependencies, as .mcpb')
    .option('-o, --out <folder>', 'the folder for the bundle', '.')
    .option('--dry-run', 'pack, show what would be written, and write nothing')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      '\nNeeds @anthropic-ai/mcpb in the project. Adds the bundle and its SHA-256 to server.json.' +
        '\n\nExample:\n  $ npm run build && toolwright publish bundle --out release',
    )
    .action(async ({ out, dryRun, yes }: { out: string; dryRun?: true; yes?: true }) => {
      const { offerBundle, makeBundle } = await import('../publish/make-bundle.js');
      const { readProject } = await import('../publish/project.js');
      const project = readProject(resolve(terminal.cwd));
      const bundle = await makeBundle(project, out);
      try {
        exit(await offerBundle(bundle, { project: project.directory, dryRun, yes }, terminal));
      } finally {
        bundle.drop();
      }
    });
}

interface ImageOptions extends WriteOptions {
  image?: string;
  base?: string;
}

function addImage(group: Command, { terminal, exit }: CommandContext): void {
  const command = group
    .command('image')
    .description('write a Dockerfile, and list the image in server.json')
    .option('--image <name>', 'the image without a tag; default: ghcr.io/<owner>/<package>')
    .option('--base <image>', 'the image to start from, best with a digest; default: that of the Dockerfile');
  addReplaceOption(addWriteOptions(command))
    .addHelpText('after', '\nExample:\n  $ toolwright publish image --image docker.io/ann/notes')
    .action(async (options: ImageOptions) => {
      const { offerPublication } = await import('../publish/offer-publication.js');
      const { planImage } = await import('../publish/plan-image.js');
      const { readProject } = await import('../publish/project.js');
      const { registryProblems } = await import('../publish/offer-publication.js');
      const project = readProject(resolve(terminal.cwd));
      const { updates, files } = planImage(project, options, terminal.env);
      const problems = project.serverJson ? registryProblems(project, updates) : [];
      const publication = { project: project.directory, updates, files, problems, notes: [] };
      exit(await offerPublication(publication, options, terminal));
    });
}

function addWorkflow(group: Command, { terminal, exit }: CommandContext): void {
  const command = group
    .command('workflow')
    .description('write a GitHub workflow that publishes what server.json lists, for each tag');
  addReplaceOption(addWriteOptions(command))
    .addHelpText(
      'after',
      '\nWrites .github/workflows/publish-mcp.yml. It stores no token: npm and the registry trust the workflow.' +
        '\n\nExample:\n  $ toolwright publish workflow',
    )
    .action(async (options: WriteOptions) => {
      const { offerPublication } = await import('../publish/offer-publication.js');
      const { planWorkflow } = await import('../publish/plan-workflow.js');
      const { readProject } = await import('../publish/project.js');
      const project = readProject(resolve(terminal.cwd));
      const { file, notes } = planWorkflow(project, terminal.env);
      const publication = { project: project.directory, updates: [], files: [file], problems: [], notes };
      exit(await offerPublication(publication, options, terminal));
    });
}

function addReplaceOption(command: Command): Command {
  return command.option('--replace', 'with --yes: replace a file that has another text');
}

function addWriteOptions(command: Command): Command {
  return command
    .option('--check', 'write nothing, and fail if a file is not as it should be')
    .option('--dry-run', 'show the changes, and write nothing')
    .option('-y, --yes', 'write without asking');
}

function collect(word: string, words: string[]): string[] {
  return [...words, word];
}
