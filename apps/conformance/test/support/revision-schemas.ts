import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { conformanceCli } from './referees.js';

type Schema = { $schema: string; $defs?: Record<string, unknown>; definitions?: Record<string, unknown> };

/** By what only its schema has. */
const marks: Record<string, (definitions: Record<string, unknown>) => boolean> = {
  '2026-07-28': (definitions) => 'DiscoverRequest' in definitions,
  '2025-11-25': (definitions) =>
    'ElicitRequestURLParams' in definitions && !('DiscoverRequest' in definitions),
  '2025-06-18': (definitions) => 'ElicitRequest' in definitions && !('ElicitRequestURLParams' in definitions),
  '2025-03-26': (definitions) => 'JSONRPCBatchRequest' in definitions,
};

/**
 * Checks values against a definition of a revision's own JSON Schema. The official suite brings the schemas, as object
 * literals of its bundle; they are data, so they are read in an empty context.
 */
export class RevisionSchema {
  readonly #ajv: Ajv;
  readonly #definitions: Record<string, unknown>;
  readonly #path: string;

  constructor(revision: string) {
    const schema = literals().find((each) => marks[revision]!(definitionsOf(each)));
    if (!schema) throw new Error(`The suite has no schema of ${revision}.`);
    this.#definitions = definitionsOf(schema);
    this.#path = schema.$defs ? '$defs' : 'definitions';
    const options = { strict: false, allErrors: false, validateFormats: false };
    this.#ajv = schema.$defs ? new Ajv2020(options) : new Ajv(options);
    addFormats(this.#ajv);
    this.#ajv.addSchema(schema, 'revision');
  }

  has(definition: string): boolean {
    return definition in this.#definitions;
  }

  /** What is wrong with the value, or nothing. */
  faults(definition: string, value: unknown): string {
    const validate = this.#ajv.getSchema(`revision#/${this.#path}/${definition}`);
    if (!validate) throw new Error(`No definition ${definition}.`);
    return validate(value)
      ? ''
      : `${definition}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`;
  }
}

const definitionsOf = ({ $defs, definitions }: Schema) => $defs ?? definitions ?? {};

let read: Schema[] | undefined;
function literals(): Schema[] {
  if (read) return read;
  const bundle = readFileSync(conformanceCli, 'utf8');
  const starts = [...bundle.matchAll(/=(?=\{\$schema:`https?:\/\/json-schema\.org)/g)].map(
    ({ index }) => index + 1,
  );
  return (read = starts.map((start) => runInNewContext(`(${balanced(bundle, start)})`) as Schema));
}

/** The object literal that starts there. */
function balanced(text: string, start: number): string {
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (quote) quote = character === quote ? '' : quote;
    else if ('`\'"'.includes(character)) quote = character;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return text.slice(start, at + 1);
  }
  throw new Error('The literal does not end.');
}
