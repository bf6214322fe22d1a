import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DeclaredTypes, pascalCase, schemaOf, UniqueNames } from '@toolwright/json';
import type { Manifest } from '@toolwright/manifest';
import type { BuildResult } from '@toolwright/schema-compiler';
import type { BuildDiagnostic } from './boot-diagnostics.js';

/** The package that builds views. The project has it among its development dependencies. */
const PACKAGE = '@toolwright/views';

/** What this command uses of the package. */
interface ViewsPackage {
  readonly KeptBuilds: new () => object;
  buildViews(project: {
    root: string;
    project: string;
    tools: readonly ToolView[];
    wrapped: readonly string[];
    declarations: string;
    file: string;
    minify?: boolean;
    types?: boolean;
    kept?: object;
    signal?: AbortSignal;
  }): Promise<{
    problems: readonly BuildDiagnostic[];
    fields: Record<string, readonly unknown[]>;
    pages: Readonly<Record<string, string>>;
    folders: readonly string[];
    inputs: readonly string[];
  }>;
}

interface ToolView {
  class: string;
  tool: string;
  view: string;
  file: string;
  location: { file: string; line: number; column: number };
}

/** All pages of a project. */
export interface ProjectPages {
  /** The name of their file. */
  readonly name: string;
  /** The text of each page, by its name: the content of the file. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A manifest with the views of its tools, and the files that belong to it. */
export interface ProjectViews {
  readonly manifest: Manifest;
  readonly diagnostics: readonly BuildDiagnostic[];
  /** The file of the pages, beside the manifest; undefined without views. */
  readonly pages: ProjectPages | undefined;
  /** Text by path, relative to the project: types for the editor. */
  readonly declarations: ReadonlyMap<string, string>;
  /** The files that the pages were made of. */
  readonly inputs: readonly string[];
}

/** What views are built of, and how. */
export interface ViewsPlace {
  /** The tsconfig. */
  readonly project: string;
  /** The file of the manifest. */
  readonly out: string;
  /** False builds faster, for development. */
  readonly minify?: boolean;
}

interface ViewsBuilding extends ViewsPlace {
  /** False leaves out the check of types. */
  readonly types?: boolean;
  /** What is kept from one build to the next. Default: nothing. */
  readonly kept?: { builds?: object };
  /** Ends the check of types. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds the views that tools name. A project without views loads nothing for it.
 *
 * @throws {Error} when the signal ends the check of types
 */
export async function buildProjectViews(
  { manifest, declared }: Compiled,
  { project, out, minify, types, kept, signal }: ViewsBuilding,
): Promise<ProjectViews> {
  const tools = toolsWithViews({ manifest, declared });
  const none = {
    manifest,
    diagnostics: [],
    pages: undefined,
    declarations: new Map<string, string>(),
    inputs: [],
  };
  if (tools.length === 0) return none;
  const root = dirname(project);
  const file = `${basename(out).replace(/(\.manifest)?\.json$/, '')}.views.json`;
  const views = loadPackage(root);
  if (!views) return { ...none, diagnostics: [missing(tools[0]!)] };
  if (kept) kept.builds ??= new views.KeptBuilds();
  const declarations = declareTools({ manifest, declared });
  const wrapped = toolsOf({ manifest, declared }).flatMap(({ tool, entry }) => (entry.wrap ? [tool] : []));
  const { problems, fields, pages, folders, inputs } = await views.buildViews({
    root,
    project,
    tools,
    wrapped,
    declarations,
    file,
    ...(minify !== undefined && { minify }),
    ...(types !== undefined && { types }),
    ...(kept?.builds && { kept: kept.builds }),
    ...(signal && { signal }),
  });
  return {
    manifest: { ...manifest, extensions: { ...manifest.extensions, [PACKAGE]: fields } },
    diagnostics: problems,
    pages: { name: file, texts: pages },
    declarations: new Map(folders.map((folder) => [join(folder, 'views.d.ts'), declarations])),
    inputs,
  };
}

/** The content of the file of the pages. */
export function formatPages({ texts }: ProjectPages): string {
  return `${JSON.stringify(texts)}\n`;
}

/** What a manifest says of the pages beside their digests: an edit of a view that leaves it as it is only changes what is shown. */
export function describePages({ extensions = {} }: Pick<Manifest, 'extensions'>): string {
  return JSON.stringify(extensions[PACKAGE], (name, value: unknown) =>
    name === 'sha256' ? undefined : value,
  );
}

/** A project, as the compiler of schemas has read it. */
export type Compiled = Pick<BuildResult, 'manifest' | 'declared'>;

/** The tools whose names the source shows, with their entries. */
function toolsOf({ manifest, declared }: Compiled) {
  const entries = new Map(manifest.entries.map((entry) => [entry.key, entry]));
  return declared.flatMap(({ key, kind, name, options }) => {
    const entry = entries.get(key);
    return kind === 'tool' && name !== undefined && entry ? [{ tool: name, entry, options }] : [];
  });
}

function toolsWithViews(compiled: Compiled): ToolView[] {
  return toolsOf(compiled).flatMap(({ tool, entry, options }) => {
    const view = (options['ui'] as { view?: unknown } | undefined)?.view;
    const definition = compiled.manifest.classes[entry.class];
    return typeof view === 'string' && definition
      ? [{ class: entry.class, tool, view, file: definition.location.file, location: entry.location }]
      : [];
  });
}

/** The types of all tools, for the components and for the calls that they make. */
function declareTools(compiled: Compiled): string {
  const tools = toolsOf(compiled).map(({ tool, entry }) => ({
    tool,
    input: schemaOf(compiled.manifest, entry.input) ?? { type: 'object' },
    output: entry.output === null ? undefined : schemaOf(compiled.manifest, entry.output),
  }));
  const schemas = tools.flatMap(({ input, output }) => (output ? [input, output] : [input]));
  const types = new DeclaredTypes(schemas, new UniqueNames(['ViewTools', 'Record']), true);
  const members = tools.map(({ tool, input, output }) => {
    const owner = pascalCase(tool);
    const args = types.declare(input, { owner, part: 'Arguments', comment: `The arguments of \`${tool}\`.` });
    const result =
      output && types.declare(output, { owner, part: 'Result', comment: `What \`${tool}\` returns.` });
    return `    ${JSON.stringify(tool)}: { args: ${args}; result: ${result ?? 'string'} };`;
  });
  return [
    '// Written by `toolwright build`: the tools, as views see them. Changes of this file are lost.',
    "/// <reference types='@toolwright/views/assets' />",
    '',
    "declare module '@toolwright/views' {",
    '  interface ViewTools {',
    ...members,
    '  }',
    '}',
    '',
    ...types.declarations,
  ].join('\n');
}

function loadPackage(root: string): ViewsPackage | undefined {
  try {
    const path = createRequire(join(root, 'package.json')).resolve(`${PACKAGE}/build`);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- its path is only known now
    return require(path) as ViewsPackage;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}

function missing({ tool, location }: ToolView): BuildDiagnostic {
  return {
    code: 'TW_PACKAGE_MISSING',
    severity: 'error',
    message: `The view of "${tool}" needs the package ${PACKAGE}. Run \`npm install --save-dev ${PACKAGE} vite\`. Production does not need it.`,
    ...location,
  };
}
