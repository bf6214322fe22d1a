import { basename, dirname, resolve } from 'node:path';
import { readUrl } from '@toolwright/json';
import { checkShapes } from './check-shapes.js';
import { absoluteReference, LocalFiles, readText } from './local-files.js';
import type { OpenApiDocument, Reference } from './openapi-document.js';
import { isObject, isReference, Specification } from './specification.js';
import { SpecificationError } from './specification-error.js';
import { withImplicitHeirs } from './implicit-heirs.js';
import { isData, withPointers } from './own-references.js';
import { withMergeKeys } from './merge-keys.js';
import { requireNamesOnce } from './repeated-names.js';
import { shown } from './shape-values.js';
import { unrollCircles } from './unroll-circles.js';

export interface ReadOptions {
  /** Further folders whose files may be referred to. */
  readonly allowRefs?: readonly string[];
  /** Turns a document of version 2.0 into one of 3.0. Without it such a document is refused. */
  readonly convert?: (document: object) => Promise<OpenApiDocument>;
}

/**
 * Reads a specification and everything that it refers to, into one document.
 *
 * @param file a path, or the parsed document
 * @throws {SpecificationError} with one line that says what is wrong
 */
export async function readSpecification(
  file: string | object,
  { allowRefs = [], convert }: ReadOptions = {},
): Promise<Specification> {
  const name = typeof file === 'string' ? file : 'The specification';
  if (typeof file === 'string' && /^[a-z][a-z0-9+.-]+:\/\//i.test(file))
    throw new SpecificationError(`${file} is a URL. Nothing is fetched: download the specification first.`);
  const folders = (folder: string) => [folder, ...allowRefs.map((each) => resolve(each))];
  const read = typeof file === 'string' ? await readFile(resolve(file), folders) : file;
  const earlier: string[] = [];
  const document = await toVersion3(
    unrollCircles(withPointers(read)),
    name,
    convert && withNotes(convert, earlier),
  );
  checkSize(document, name);
  const { document: sound, mistakes, notes } = checkShapes(document);
  return new Specification(withImplicitHeirs(sound), [...earlier, ...notes], mistakes);
}

/** The converter takes a document of version 2.0 whose parts have their shapes, and stops with a stack at any other. */
function withNotes(convert: NonNullable<ReadOptions['convert']>, notes: string[]): typeof convert {
  return (document) => {
    checkSize(document, 'The specification');
    const checked = checkShapes(document, 'document2');
    const [first, ...more] = checked.mistakes;
    const others = more.length === 0 ? '' : ` Further mistakes: ${more.length}.`;
    if (first) throw new SpecificationError(`${first.place} ${first.message}. Repair it.${others}`);
    notes.push(...checked.notes);
    return convert(checked.document);
  };
}

async function readFile(path: string, folders: (own: string) => string[]): Promise<unknown> {
  // The limit of the size and the words for a missing file are ours.
  requireNamesOnce(path, readText(path));
  const files = new LocalFiles(folders(dirname(path)));
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  const options = {
    resolve: {
      http: false,
      file: false,
      local: {
        order: 1,
        canRead: () => true,
        read: ({ url }: { url: string }) => (sameFile(url, path) ? readText(path) : files.read(url)),
      },
    },
    bundle: { excludedPathMatcher: isData },
    dereference: { excludedPathMatcher: isData },
  };
  try {
    const document = withPointers(await new $RefParser().parse(path, options));
    // In JSON a member may have the name of a merge key.
    if (!refersOutside(document)) return /\.json$/i.test(path) ? document : withMergeKeys(document);
    return withMergeKeys(intoItself(await $RefParser.bundle(path, document, options), basename(path)));
  } catch (error) {
    throw files.refusal ?? asSpecificationError(error, path);
  }
}

/** The bundler leaves references of parts to the main file as they are. They lead into the document that it has made. */
function intoItself<T>(document: T, main: string): T {
  for (const holder of referencesIn(document)) {
    const [file = '', pointer = ''] = holder.$ref.split('#');
    if (file !== '' && decodeURI(file.split('/').at(-1)!) === main) holder.$ref = `#${pointer}`;
  }
  return document;
}

const sameFile = (url: string, path: string) =>
  url === path || decodeURI(url.replace(/^file:\/\//, '')) === path;

/** Whether a document has a reference to another file. Most have none, and need no second reading. */
function refersOutside(document: unknown): boolean {
  let isOutside = false;
  for (const { $ref } of referencesIn(document)) {
    if ($ref.startsWith('#')) continue;
    if (/^(?:[\\/]|file:|[a-z]:[\\/])/i.test($ref)) throw absoluteReference($ref);
    requireAddress($ref);
    isOutside = true;
  }
  return isOutside;
}

function requireAddress(reference: string): void {
  const [file = '', fragment = ''] = reference.split('#');
  if (!readUrl(file, 'file:///'))
    throw new SpecificationError(`The reference ${shown(reference)} is no address. Repair it.`);
  if (fragment !== '' && !fragment.startsWith('/'))
    throw new SpecificationError(
      `The reference ${shown(reference)} names an anchor of another file. Write a pointer, such as ${file}#/components/schemas/Pet.`,
    );
}

/** The references of a document. A reference in data means nothing. */
function* referencesIn(document: unknown): Generator<Reference> {
  const seen = new Set<object>();
  const queue: unknown[] = [document];
  for (const value of queue) {
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    if (isReference(value)) yield value;
    for (const [key, member] of Object.entries(value))
      if (Array.isArray(value) || !isData(`/${key}`)) queue.push(member);
  }
}

/** The reader gives long texts. One line is enough. */
function asSpecificationError(error: unknown, path: string): SpecificationError {
  if (error instanceof SpecificationError) return error;
  const [line = ''] = String((error as Error).message ?? error).split(/\r?\n/);
  return new SpecificationError(`${path} cannot be read: ${line}`, { cause: error });
}

async function toVersion3(
  value: unknown,
  name: string,
  convert: ReadOptions['convert'],
): Promise<OpenApiDocument> {
  const document = value as OpenApiDocument;
  if (!isObject(value) || Array.isArray(value) || (!document.openapi && !document.swagger))
    throw new SpecificationError(
      `${name} is not an OpenAPI specification: it has neither "openapi" nor "swagger".`,
    );
  if (document.openapi !== undefined) {
    // Without quotes YAML reads 3.0 as the number 3.
    if (/^3(?:\.\d|$)/.test(String(document.openapi))) return document;
    throw new SpecificationError(
      `${name} has version ${String(document.openapi)}. Versions 2.0 and 3 are known.`,
    );
  }
  if (String(document.swagger) !== '2.0' && Number(document.swagger) !== 2)
    throw new SpecificationError(
      `${name} has version ${String(document.swagger)}. Versions 2.0 and 3 are known.`,
    );
  if (!convert)
    throw new SpecificationError(
      `${name} has version 2.0, which is read at build only. Use toolwright import openapi, or convert it to 3.0.`,
    );
  return convert(value);
}

/** More parts than this come from aliases that multiply, not from a person. */
const MOST_PARTS = 20_000_000;

/** YAML can name a part again and again, so that a small file means a huge document. */
function checkSize(document: object, name: string): void {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const sizeOf = (value: unknown, depth: number): number => {
    if (!isObject(value)) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value) || depth > 2_000) throw new SpecificationError(`${name} is nested too deeply.`);
    open.add(value);
    let size = 1;
    for (const member of Object.values(value)) size += sizeOf(member, depth + 1);
    open.delete(value);
    sizes.set(value, size);
    if (size > MOST_PARTS)
      throw new SpecificationError(
        `${name} has more than ${MOST_PARTS} parts once its aliases are written out.`,
      );
    return size;
  };
  sizeOf(document, 0);
}
