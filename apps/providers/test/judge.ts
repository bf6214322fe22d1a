import { isDeepStrictEqual } from 'node:util';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Arguments, Construct } from './constructs.js';
import type { Declaration, Schema } from './converters/converter.js';
import { formsOf } from './forms-of.js';
import { onlyWhatIsSaid } from './only-what-is-said.js';

export interface Judgement {
  verdict: 'kept' | 'weakened' | 'lost';
  /** What is missing; empty where nothing is. */
  reasons: string[];
}

/** Compares what a provider gets of a tool with what the tool takes. */
export async function judge(construct: Construct, declaration: Declaration): Promise<Judgement> {
  const lost = await inexpressible(construct.valid, declaration);
  if (lost.length > 0) return { verdict: 'lost', reasons: lost };
  const unsaid = [...constraintsLost(construct, declaration.schema), ...wordsLost(construct, declaration)];
  if (declaration.advice) unsaid.push('the schema is not strict');
  return { verdict: unsaid.length > 0 ? 'weakened' : 'kept', reasons: unsaid };
}

/** A model writes what the schema tells it of, and the client must make the sample of it. */
async function inexpressible(samples: Arguments[], { schema, read }: Declaration): Promise<string[]> {
  const fits = validatorOf(onlyWhatIsSaid(schema));
  const reasons = [];
  for (const sample of samples) {
    const forms = formsOf(schema, sample).filter((form) => fits(form));
    const received = await Promise.all(forms.map((form) => (read ? read(overTheWire(form)) : form)));
    if (!received.some((args) => isDeepStrictEqual(overTheWire(args), sample))) {
      reasons.push(`${JSON.stringify(sample)} cannot be written`);
    }
  }
  return reasons;
}

/** A copy, since a client may change what it reads; of this realm, since `fetch` gives prototypes of another under Jest. */
const overTheWire = (args: unknown): unknown => JSON.parse(JSON.stringify(args ?? null));

function constraintsLost({ invalid = [], order, ...construct }: Construct, schema: Schema): string[] {
  const fits = validatorOf(schema);
  const reasons = invalid.filter((sample) => fits(sample)).map((sample) => `${JSON.stringify(sample)} fits`);
  if (order && !isDeepStrictEqual(overTheWire(valueOf(schema, 'enum')), order))
    reasons.push('the enum has another order');
  if ('default' in construct && !isDeepStrictEqual(valueOf(schema, 'default'), construct.default)) {
    reasons.push('the default is not said');
  }
  return reasons;
}

function wordsLost({ texts = [] }: Construct, { description, schema }: Declaration): string[] {
  const words = JSON.stringify([description, schema]);
  return texts.filter((text) => !words.includes(text)).map((text) => `"${text}" is not said`);
}

function validatorOf(schema: Schema): (value: unknown) => boolean {
  const { $schema: _dialect, ...rest } = schema;
  return ajv.compile(rest);
}

const ajv = addFormats(new Ajv2020({ strict: false }));

/** The value of the first such keyword in a schema. */
function valueOf(schema: unknown, keyword: string): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (Object.hasOwn(schema, keyword)) return (schema as Schema)[keyword];
  return Object.values(schema).reduce<unknown>((found, part) => found ?? valueOf(part, keyword), undefined);
}
