import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { QuestionTable } from '@toolwright/ground/call/context/tool-context';
import { Question } from '@toolwright/ground/call/values/question';
import {
  type Constructor,
  digestOfClass,
  type DtoClass,
  getOrMake,
  lazily,
  partsOfRevival,
  type Revival,
  type TypeTable,
} from '@toolwright/json';
import type { ManifestClass, ManifestEntry } from '@toolwright/manifest';
import {
  findClass,
  findLoadedClass,
  isBundled,
  isReachable,
  requirableClass,
} from '../classes/find-class.js';
import { classWithRules, isNameless, possibleNames } from '../classes/running-class.js';
import { emittedTypes, type Service } from '../classes/service.js';
import type { ClassEntry, LoadedManifest } from '../manifest/loaded-manifest.js';
import { refuseOtherCopies } from './class-rules.js';

/**
 * Finds the DTO classes that the revivals of a service refer to. If a module is not loaded yet, the first
 * call that needs the class loads it, because its decorators load class-validator (75 ms of CPU, more than
 * the rest of the boot). ES modules cannot be loaded during a call, so they are imported now.
 *
 * @param emitted classes that are already known, by their keys
 * @throws the error of importing a module
 */
export async function loadTypes(
  match: ClassEntry,
  emitted: ReadonlyMap<string, AnyClass> = new Map(),
): Promise<TypeTable> {
  const { manifest } = match;
  const keys = classKeys(match);
  const dtos = new Map<string, () => DtoClass | undefined>();
  for (const key of keys) {
    const definition = manifest.manifest.classes[key];
    const known = emitted.get(key);
    if (!definition) continue;
    const find = known ? () => known : await classFinder(manifest, key);
    const inBundle = () => (isUnbundled(manifest, key) ? undefined : classWithRules(definition));
    // A file beside a bundle has another class of the same name.
    const ways = manifest.runs === 'bundle' && !known ? [inBundle, find] : [find, inBundle];
    dtos.set(
      key,
      lazily(() => dtoClass(ways[0]!() ?? ways[1]!(), definition)),
    );
  }
  return {
    revival: (name) => manifest.manifest.revivals?.[name],
    dto: (key) => dtos.get(key)?.(),
    whole: (schema) => manifest.whole(schema),
  };
}

/**
 * In a bundle, every module is loaded already. A class that is missing now stays missing, and each call that needs
 * it would fail.
 */
export function findLostClasses(match: ClassEntry, types: TypeTable): ConfigurationProblem[] {
  return [...classKeys(match)].flatMap((key) => {
    if (!isBundled(match.manifest, key)) return [];
    try {
      types.dto(key);
      return [];
    } catch (error) {
      const { message } = error as Error;
      return [
        {
          code: 'TW_MANIFEST_UNMATCHED',
          message,
          fix: 'Bundle with --keep-names (esbuild), output.keepNames (Rolldown, Vite), or without shortening names: optimization.minimize: false (webpack), --minify-whitespace and --minify-syntax in place of --minify (Bun).',
        } as const,
      ];
    }
  });
}

/** The keys of the classes that arguments, results and answers become instances of. */
export function classKeys({ manifest, entries }: ClassEntry): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { revive } of entries) {
    if (revive.input) for (const each of Object.values(revive.input)) collect(each, manifest, keys);
    if (revive.output) collect(revive.output, manifest, keys);
  }
  for (const { revive } of Object.values(manifest.manifest.questions ?? {}))
    if (revive) collect(revive, manifest, keys);
  return keys;
}

/** Then a class that cannot be loaded is missing. Another one may have the same name. */
function isUnbundled(manifest: LoadedManifest, key: string): boolean {
  return manifest.runs !== undefined && !isBundled(manifest, key);
}

async function classFinder(manifest: LoadedManifest, key: string): Promise<() => AnyClass | undefined> {
  const later = findLoadedClass(manifest, key) ? undefined : requirableClass(manifest, key);
  if (later)
    return () => {
      const loaded = later();
      if (loaded) refuseOtherCopies(loaded);
      return loaded;
    };
  const found = await findClass(manifest, key);
  return () => found;
}

function dtoClass(target: AnyClass | undefined, definition: ManifestClass): DtoClass | undefined {
  const { validation = 'full', mergeRuntime = false, rules } = definition;
  if (!target) {
    // Without the class, its constraints would silently not be checked. No call is better than an unchecked
    // call.
    if (definition.mergeRuntime || (definition.validation ?? 'skip') !== 'skip')
      throw unreachable(definition);
    return undefined;
  }
  const constructor = target as unknown as Constructor;
  // Only class-validator knows what the source did not show.
  const isUnseen = mergeRuntime || (validation === 'skip' && digestOfClass(constructor) !== (rules ?? ''));
  return { constructor, validation: isUnseen ? 'full' : validation };
}

function unreachable({ name, location: { file, line } }: ManifestClass): Error {
  return new Error(
    `${file}:${line}: the class ${name} validates arguments and cannot be loaded: export it. In a minified bundle, let the bundler keep names, because class-validator knows the class by its name only.`,
  );
}

function collect(
  revival: Revival,
  manifest: LoadedManifest,
  keys: Set<string>,
  names = new Set<string>(),
): void {
  if (revival.kind === 'object' && revival.class !== undefined) keys.add(revival.class);
  const named = revival.kind === 'ref' && !names.has(revival.name) ? revival.name : undefined;
  if (named !== undefined) names.add(named);
  const target = named === undefined ? undefined : manifest.manifest.revivals?.[named];
  for (const part of target ? [target] : partsOfRevival(revival)) collect(part, manifest, keys, names);
}

/**
 * Classes that no module exports, or whose modules became part of a bundle, but that are the type of a
 * parameter, by their keys in the manifest. The build emits them with the method (`emitDecoratorMetadata`). So it does for
 * classes of other packages: a package may have two copies of a class, for `import` and for `require`, and only the
 * emitted one is certainly the copy that the code of the method has imported.
 */
export function parameterClasses(
  { target, operations }: Service,
  match: ClassEntry,
): ReadonlyMap<string, AnyClass> {
  const found = new Map<string, AnyClass>();
  const { classes } = match.manifest.manifest;
  for (const method of operations) {
    const entry = match.entry(method);
    const hidden = entry ? keysByParameter(entry) : [];
    for (const { key, index } of hidden) {
      const definition = classes[key];
      if (!definition || (!definition.imported && isReachable(match.manifest, key))) continue;
      const type = emittedTypes(target, method)?.[index];
      if (typeof type === 'function' && isNamed(type as AnyClass, definition))
        found.set(key, type as AnyClass);
    }
  }
  return found;
}

/** A minifier takes the name away. The place of the parameter is certain all the same. */
function isNamed(type: AnyClass, { name }: ManifestClass): boolean {
  return isNameless(type) || possibleNames(type).includes(name.split('.').at(-1)!);
}

function keysByParameter({ parameters, revive }: ManifestEntry): { key: string; index: number }[] {
  return parameters.flatMap(({ kind, name }, index) => {
    const key = classKey(revive.input?.[kind === 'input' ? '' : name]);
    return key === undefined ? [] : [{ key, index }];
  });
}

function classKey(revival: Revival | undefined): string | undefined {
  if (revival?.kind === 'object') return revival.class;
  if (revival?.kind !== 'union') return undefined;
  return revival.options.map(({ revive }) => classKey(revive)).find((key) => key !== undefined);
}

/**
 * The typed questions of all packages whose services a server has. A method may ask through a helper of
 * another package. Then the manifest of that package knows the question. It is used when the method's own
 * package has no question with that key.
 */
export class QuestionRegistry {
  readonly #packages = new Map<string, PackageQuestions>();

  /** The questions that the operations of one package may ask. */
  tableOf(manifest: LoadedManifest, types: TypeTable): QuestionTable {
    const own = new PackageQuestions(manifest, types);
    this.#packages.set(manifest.source, own);
    return {
      find: (key, kind) => {
        const found = own.find(key, kind);
        if (found) return found;
        const others = [...this.#packages.values()].flatMap((each) => each.find(key, kind) ?? []);
        return others.length === 1 ? others[0] : undefined;
      },
    };
  }
}

/** Each question is built when it is first asked. In most processes, most questions are never asked. */
class PackageQuestions {
  readonly #made = new Map<string, Question>();

  constructor(
    private readonly loaded: LoadedManifest,
    private readonly types: TypeTable,
  ) {}

  find(key: string, kind: Question['kind']): Question | undefined {
    const { questions = {} } = this.loaded.manifest;
    const definition = Object.hasOwn(questions, key) ? questions[key] : undefined;
    const schema = definition && this.loaded.schema(definition.schema);
    if (!schema || definition.kind !== kind) return undefined;
    return getOrMake(this.#made, key, () => new Question({ key, definition, types: this.types }, schema));
  }
}
