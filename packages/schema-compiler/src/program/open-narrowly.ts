import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ts } from 'typescript-json-schema';
import { CORE, standInForCore } from './core-stand-in.js';
import { CoreView } from './core-view.js';
import { importsOf, NodeMentions } from './node-mentions.js';
import { isNodeTypes, readNodeNames, type NodeNames } from './node-names.js';
import { assembleProject, readConfig, type Project } from './open-project.js';
import { SourceCache } from './source-cache.js';

/** What a program over the whole project has found out, for those over a part of it. */
export interface Surroundings {
  /** Files that every source sees, absolute. */
  ambient: string[];
  /** Undefined for a project without Node's types. */
  node?: NodeNames;
  /** File names of the standard library's parts. */
  libraries: string[];
}

export function readSurroundings(project: Project, ambient: string[]): Surroundings {
  const libraries = project.program
    .getSourceFiles()
    .filter((file) => project.program.isSourceFileDefaultLibrary(file))
    .map(({ fileName }) => basename(fileName));
  return { ambient, node: readNodeNames(project), libraries };
}

/**
 * Opens a project for some of its files. It reads neither Node's types nor the parts of core that these files, and
 * what they import, do not mention: for a small edit, that is nine tenths of all there is to read.
 */
export function openNarrowly(configFile: string, only: string[], around: Surroundings): Project {
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
      // Node's types name parts of the standard library that the project itself may not.
      config.options = { ...whole, types: types.filter((name) => name !== 'node'), lib: around.libraries };
      const program = this.createProgram(around.ambient.filter((name) => !isNodeTypes(name)));
      if (!this.mentionsNode(program, around.node)) return assembleProject(path, config, program);
      config.options = whole;
    }
    return assembleProject(path, config, this.createProgram(around.ambient));
  }

  /** A program in which every export of core that a file mentions is there. */
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

  /** All names that may be names of core's exports. */
  private namesIn(program: ts.Program): string[] {
    const files = program
      .getSourceFiles()
      .filter((file) => !program.isSourceFileDefaultLibrary(file) && !this.isCore(file));
    const packages = files.filter((file) => file.isDeclarationFile);
    // A package that knows core may hand it on to others.
    const known = packages.some((file) => importsOf(file).some(({ text }) => text === CORE));
    return (known ? files : files.filter((file) => !file.isDeclarationFile)).flatMap(namesOf);
  }

  private mentionsNode(program: ts.Program, names: NodeNames): boolean {
    const files = program.getSourceFiles();
    if (files.some(({ fileName }) => isNodeTypes(fileName))) return false;
    const mentions = new NodeMentions(names);
    return files.some((file) => {
      if (program.isSourceFileDefaultLibrary(file)) return false;
      // Of Node's globals, core's declarations name `AbortSignal` and `Uint8Array`, where no schema comes from.
      if (this.isCore(file)) return mentions.inImports(file);
      return mentions.in(file);
    });
  }

  private isCore({ fileName }: ts.SourceFile): boolean {
    return this.core !== undefined && fileName.startsWith(`${dirname(this.core.path)}/`);
  }
}

/** Block comments are full of words that mean nothing. */
const words = (text: string): string[] => text.replace(/\/\*.*?\*\//gs, '').match(/[A-Za-z_$][\w$]*/g) ?? [];

function namesOf(file: ts.SourceFile): string[] {
  const { identifiers } = file as ts.SourceFile & { identifiers: ReadonlyMap<string, string> };
  return [...identifiers.keys(), ...(file.text.match(/(?<=['"`])[A-Za-z_$][\w$]*(?=['"`])/g) ?? [])];
}
