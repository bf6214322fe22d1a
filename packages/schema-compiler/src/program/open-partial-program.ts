import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ts } from '../generator/tjs-adapter.js';
import { CORE, CoreView, standInForCore } from './core-stand-in.js';
import { NodeMentions, type NodeNames, importsOf, isNodeTypes, readNodeNames } from './node-mentions.js';
import { assembleProject, readConfig, type Project } from './open-project.js';
import { SourceCache } from './source-cache.js';

/** What a program over the whole project found out, for later programs over a part of it. */
export interface Surroundings {
  /** Files that every source sees, as absolute paths. */
  ambient: string[];
  /** Undefined for a project without Node's types. */
  node?: NodeNames;
  /** The file names of the standard library's parts. */
  libraries: string[];
}

export function readAmbientFiles(project: Project, ambient: string[]): Surroundings {
  const libraries = project.program
    .getSourceFiles()
    .filter((file) => project.program.isSourceFileDefaultLibrary(file))
    .map(({ fileName }) => basename(fileName));
  return { ambient, node: readNodeNames(project), libraries };
}

/**
 * Opens a project for some of its files. It leaves out Node's types and the parts of core that these files
 * and their imports do not mention. For a small edit, that is nine tenths of all text.
 */
export function openPartialProgram(configFile: string, only: string[], around: Surroundings): Project {
  return new NarrowOpening(resolve(configFile), only, around).open();
}

class NarrowOpening {
  private readonly sources = new SourceCache();
  private readonly config: ts.ParsedCommandLine;
  private readonly core: CoreView | undefined;

  constructor(
    private readonly path: string,
    private readonly only: string[],
    private readonly around: Surroundings,
  ) {
    this.config = readConfig(path);
    this.core = CoreView.of(join(dirname(path), 'importer.ts'), this.config.options);
  }

  open(): Project {
    const { path, config, around } = this;
    for (const name of this.only) this.core?.ask(words(readFileSync(name, 'utf8')));
    const whole = config.options;
    if (around.node) {
      const types = whole.types ?? ts.getAutomaticTypeDirectiveNames(whole, ts.sys);
      // Node's types refer to parts of the standard library that the project itself may not include.
      config.options = { ...whole, types: types.filter((name) => name !== 'node'), lib: around.libraries };
      const program = this.createProgram(around.ambient.filter((name) => !isNodeTypes(name)));
      if (!this.mentionsNode(program, around.node)) return assembleProject(path, config, program);
      config.options = whole;
    }
    return assembleProject(path, config, this.createProgram(around.ambient));
  }

  /** Creates a program that contains every export of core that its files mention. */
  private createProgram(ambient: string[]): ts.Program {
    const { path, only, sources, core, config } = this;
    const { options } = config;
    for (;;) {
      const standIn = core?.standIn() ?? standInForCore(dirname(path), options);
      const host = sources.createHost(options, standIn);
      const program = ts.createProgram({ rootNames: [...only, ...ambient], options, host });
      if (!core?.ask(this.namesIn(program))) return program;
      sources.invalidate(core.path);
    }
  }

  /** All names in the program that could be exports of core. */
  private namesIn(program: ts.Program): string[] {
    const files = program
      .getSourceFiles()
      .filter((file) => !program.isSourceFileDefaultLibrary(file) && !this.isCore(file));
    const packages = files.filter((file) => file.isDeclarationFile);
    // A package that imports core may export core's names again.
    const known = packages.some((file) => importsOf(file).some(({ text }) => text === CORE));
    return (known ? files : files.filter((file) => !file.isDeclarationFile)).flatMap(namesOf);
  }

  private mentionsNode(program: ts.Program, names: NodeNames): boolean {
    const files = program.getSourceFiles();
    if (files.some(({ fileName }) => isNodeTypes(fileName))) return false;
    const mentions = new NodeMentions(names);
    return files.some((file) => {
      if (program.isSourceFileDefaultLibrary(file)) return false;
      // Core's declarations mention the globals `AbortSignal` and `Uint8Array`, but no schema comes from
      // there.
      if (this.isCore(file)) return mentions.inImports(file);
      return mentions.in(file);
    });
  }

  /** The published core has the declarations of the private package json in its own; in this repository they are beside it. */
  private isCore({ fileName }: ts.SourceFile): boolean {
    if (this.core === undefined) return false;
    const folder = dirname(this.core.path);
    return [folder, join(folder, '../../json/dist')].some((each) => fileName.startsWith(`${each}/`));
  }
}

/** Block comments are removed first, because they are full of words that are not names. */
const words = (text: string): string[] => text.replace(/\/\*.*?\*\//gs, '').match(/[A-Za-z_$][\w$]*/g) ?? [];

function namesOf(file: ts.SourceFile): string[] {
  const { identifiers } = file as ts.SourceFile & { identifiers: ReadonlyMap<string, string> };
  return [...identifiers.keys(), ...(file.text.match(/(?<=['"`])[A-Za-z_$][\w$]*(?=['"`])/g) ?? [])];
}
