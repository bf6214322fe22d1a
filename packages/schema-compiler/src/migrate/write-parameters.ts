import type { DraftContext } from './draft.js';
import { printName, printValue } from './code-style.js';
import { docComment } from './doc-comment.js';
import type { ParameterPlan } from './plan-parameters.js';
import type { Registration } from './registration.js';
import { descriptionOf, docTags } from './zod/doc-tags.js';
import type { Properties, Shape } from './zod/shape.js';
import { pascal } from './zod/type-writer.js';

export interface WrittenParameters {
  /** Between the parentheses. */
  list: string[];
  /** Lines such as `@param name text` for the method's doc comment. */
  tags: string[];
  /** Statements that come first in the body. */
  first: string[];
  /** All arguments as one expression, where they are one parameter: with the defaults of the schema. */
  all?: string;
}

interface ParametersOf {
  plan: ParameterPlan;
  properties: Properties;
  registration: Registration;
  /** The type and name of the context, if the method uses it. */
  context: string | undefined;
}

/** Writes the parameters of a method, in an order that TypeScript accepts. */
export function writeParameters(
  { plan, properties, registration, context }: ParametersOf,
  draft: DraftContext,
): WrittenParameters {
  if (plan.form === 'none') return { list: context ? [context] : [], tags: [], first: [] };
  if (plan.form === 'one') {
    const { parameter, ...rest } = writeOne(plan, properties, registration, draft);
    return { list: context ? [parameter, context] : [parameter], tags: [], ...rest };
  }
  const { style, types } = draft;
  const node = registration.call;
  const [required, optional]: [string[], string[]] = [[], []];
  const tags: string[] = [];
  for (const [name, shape] of properties) {
    const description = descriptionOf(shape, node);
    // A tag `@param` holds one paragraph, and reads a brace or a dash at its start as its own.
    const asTag = description !== '' && !/\n|^[-{[]/.test(description);
    if (asTag) tags.push(`@param ${name} ${description}`);
    const comment = commentOf(asTag ? '' : description, docTags(shape), style.indent.repeat(2));
    const initializer = plan.initializers.get(name)?.getText();
    const text =
      comment +
      parameterOf(
        name,
        shape,
        initializer,
        types.typeOf(shape, pascal(registration.name) + pascal(name), node),
        draft,
      );
    const isOptional = shape.optional && shape.default === undefined && initializer === undefined;
    (isOptional ? optional : required).push(text);
  }
  return { list: [...required, ...(context ? [context] : []), ...optional], tags, first: [] };
}

function commentOf(description: string, tags: readonly string[], margin: string): string {
  if (description === '' && tags.length === 0) return '';
  if (!description.includes('\n') && !tags.some((tag) => tag.startsWith('@pattern')))
    return `/** ${[description, ...tags].filter((each) => each !== '').join(' ')} */ `;
  return `${docComment(description, tags, margin).trimStart().trimEnd()}\n${margin}`;
}

function parameterOf(
  name: string,
  { optional, default: value, defaultText, nullable }: Shape,
  initializer: string | undefined,
  type: string,
  { style }: DraftContext,
): string {
  const start = value === undefined ? initializer : (defaultText ?? printValue(value, style));
  if (start === undefined) return `${name}${optional ? '?' : ''}: ${type}`;
  // TypeScript infers these types from their default.
  const isClear = type === typeof value && !nullable;
  return isClear ? `${name} = ${start}` : `${name}: ${type} = ${start}`;
}

function writeOne(
  { binding }: ParameterPlan & { form: 'one' },
  properties: Properties,
  registration: Registration,
  { style, types, taken }: DraftContext,
): { parameter: string; first: string[]; all: string } {
  const type = types.interfaceOf(properties, `${pascal(registration.name)}Args`, registration.call);
  const defaults = [...properties].flatMap(([name, { default: value, defaultText, kind }]) => {
    if (value === undefined) return [];
    const written = defaultText ?? `${printValue(value, style)}${kind.is === 'literal' ? ' as const' : ''}`;
    return [`${printName(name, style.quote)}: ${written}`];
  });
  const input = ['input', 'given', 'allArgs'].find((name) => !taken.has(name)) ?? '_input';
  const filled = defaults.length === 0 ? input : `{ ${defaults.join(', ')}, ...${input} }`;
  if (!binding) return { parameter: `_${input}: ${type}`, first: [], all: filled };
  if ('text' in binding && defaults.length === 0)
    return { parameter: `${binding.text}: ${type}`, first: [], all: binding.text };
  return { parameter: `${input}: ${type}`, first: [`const ${binding.getText()} = ${filled};`], all: filled };
}
