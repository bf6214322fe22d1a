import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from '../folders.js';

/**
 * The commit that this branch left, or undefined when there is nothing to compare: it is what is here now.
 *
 * @throws {Error} the repository does not have the ref, or not the history down to it
 */
export function findBase(ref: string, repository = repositoryFolder): string | undefined {
  const git = gitIn(repository);
  const base = mergeBase(ref, git);
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return base === git('rev-parse', 'HEAD') && !changed ? undefined : base;
}

function mergeBase(ref: string, git: ReturnType<typeof gitIn>): string {
  try {
    return git('merge-base', ref, 'HEAD');
  } catch (error) {
    const advice = 'Fetch it with its history (git fetch --unshallow), or name another one with --base.';
    throw new Error(`This clone has no common history with "${ref}". ${advice}`, { cause: error });
  }
}

const git = gitIn(repositoryFolder);

/** Checks a commit out beside this tree and builds what its servers need. Whoever makes one removes it. */
export class BaseTree {
  private readonly sources = new Map<number, string>();

  private constructor(private readonly folder: string) {}

  static build(commit: string): BaseTree {
    // Outside of this tree: a module that the base lacks must not be found in the folders above it.
    const tree = new BaseTree(mkdtempSync(join(tmpdir(), 'toolwright-base-')));
    try {
      git('worktree', 'add', '--quiet', '--detach', tree.folder, commit);
      tree.install();
      // All packages: those that are bundled need a folder to be bundled into.
      const projects = readdirSync(join(tree.folder, 'packages')).map((name) => `packages/${name}`);
      tree.run(process.execPath, 'node_modules/typescript/bin/tsc', '-b', ...projects, 'apps/bench');
      tree.run(process.execPath, '.ci/bundle.mjs');
      return tree;
    } catch (error) {
      tree.remove();
      throw error;
    }
  }

  get app(): string {
    return join(this.folder, 'apps', 'bench');
  }

  /** The folder of the sources that the tree's own bench, compiler and `toolwright build` make of so many tools. */
  generate(tools: number): string {
    const program = `process.stdout.write(require('./dist/generate/generate.js').generateOnce()(${tools}))`;
    const made =
      this.sources.get(tools) ??
      execFileSync(process.execPath, ['-e', program], { cwd: this.app, encoding: 'utf8' });
    this.sources.set(tools, made);
    return made;
  }

  /** The names of its workloads: a new one has nothing to be compared with. */
  workloads(): ReadonlySet<string> {
    const program =
      "process.stdout.write(JSON.stringify(require('./dist/workloads/catalogue.js').workloads.map(({ name }) => name)))";
    return new Set(
      JSON.parse(
        execFileSync(process.execPath, ['-e', program], { cwd: this.app, encoding: 'utf8' }),
      ) as string[],
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }

  /** What this tree has installed serves both, where both have the same lockfile. */
  private install(): void {
    const lockfile = (root: string) => readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    if (lockfile(this.folder) !== lockfile(repositoryFolder)) {
      this.run(process.execPath, '.ci/workspace.mjs', 'install');
      return;
    }
    this.borrow('');
    for (const group of ['packages', 'apps']) {
      for (const name of readdirSync(join(this.folder, group))) this.borrow(join(group, name));
    }
  }

  /** Links are relative, so that those between packages stay within their tree; the store itself is shared. */
  private borrow(workspace: string): void {
    const from = join(repositoryFolder, workspace, 'node_modules');
    if (!existsSync(from)) return;
    const to = join(this.folder, workspace, 'node_modules');
    mkdirSync(to);
    for (const name of readdirSync(from)) {
      if (name === '.pnpm') symlinkSync(join(from, name), join(to, name));
      else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    }
  }

  private run(command: string, ...args: string[]): void {
    execFileSync(command, args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

function gitIn(repository: string) {
  return (...args: string[]): string =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim();
}
