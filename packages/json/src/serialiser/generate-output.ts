import { lazily } from '../schema/once.js';
import { exactNumberText } from '../numbers/exact-number-text.js';
import { writeJson } from './json-text.js';
import {
  interpretAlternatives,
  jsonTypeOf,
  orNull,
  otherTexts,
  isSettled,
  tagOf,
  writeConst,
  writeNumber,
  writeString,
} from './interpret-output.js';
import {
  anyText,
  booleanOf,
  hasEqual,
  hasOthers,
  itemsOf,
  nested,
  objectOf,
  ownValue,
  quote,
  settle,
  unsure,
  isPlain,
} from './json-text.js';
import type {
  ArrayNode,
  ObjectNode,
  OutputNode,
  TaggedNode,
  TupleNode,
  TypesNode,
  Write,
} from './output-node.js';

/** The functions that generated code calls, by their names in that code. */
const called = {
  anyText, booleanOf, hasEqual, hasOthers, isPlain, isSettled, itemsOf, jsonTypeOf, nested, objectOf, orNull, otherTexts, ownValue,
  quote, settle, tagOf, unsure, writeConst, writeNumber, writeString, exactNumberText,
}; // prettier-ignore

/**
 * Creates a writer by generating its code. The code reads properties by name and joins constant texts
 * beforehand, so it takes a third of the time of functions that call each other.
 *
 * No text of a schema becomes code: names and constants are written as JSON, everything else is passed as a
 * value.
 *
 * @throws {EvalError} if the platform forbids it
 */
export function generateOutput(node: OutputNode): Write {
  const generator = new Generator();
  const root = generator.functionFor(node);
  const code = `const { ${Object.keys(called).join()} } = called;\n${generator.functions.join('\n')}\nreturn ${root};`;

  return new Function('called', 'values', code)(called, generator.values) as Write;
}

/** Whether this platform runs generated code. Content security policies and edge runtimes forbid it. */
export const mayGenerate = lazily((): boolean => {
  try {
    return new Function('return true')() as boolean;
  } catch {
    return false;
  }
});

class Generator {
  readonly functions: string[] = [];
  readonly values: unknown[] = [];
  readonly #known = new Map<OutputNode, string>();

  /** The name of a function that writes values of a node. */
  functionFor(node: OutputNode): string {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const name = `write${this.#known.size}`;
    this.#known.set(node, name);
    const body = this.#body(node) ?? `return ${this.#expression(node, 'value')};`;
    this.functions.push(`function ${name}(value) {\n${body}\n}`);
    return name;
  }

  #body(node: OutputNode): string | undefined {
    switch (node.kind) {
      case 'array':
        return this.#array(node);
      case 'tuple':
        return this.#tuple(node);
      case 'object':
        return this.#object(node);
      case 'types':
        return this.#types(node);
      case 'tagged':
        return this.#tagged(node);
      default:
        return undefined;
    }
  }

  /** Code for the text of the variable `of`. */
  #expression(node: OutputNode, of: string): string {
    switch (node.kind) {
      case 'any':
        return `anyText(${of})`;
      case 'null':
        return `(${of} === null ? 'null' : unsure())`;
      case 'boolean':
        return `(${of} === true ? 'true' : ${of} === false ? 'false' : booleanOf(${of}))`;
      case 'number': {
        const other = `writeNumber(${of}, ${this.#value(node)})`;
        const test = node.isInteger ? 'Number.isInteger' : 'Number.isFinite';
        const text = `((${of} | 0) === ${of} ? '' + ${of} : exactNumberText(${of}))`;
        return node.fits ? other : `(${test}(${of}) ? ${text} : ${other})`;
      }
      case 'string': {
        const other = `writeString(${of}, ${this.#value(node)})`;
        return node.fits ? other : `(typeof ${of} === 'string' ? quote(${of}) : ${other})`;
      }
      case 'const':
        return `writeConst(${of}, ${this.#value(node)})`;
      case 'reference':
        return `nested(${this.#value(node.writer)}, ${of})`;
      case 'exact':
        return `${this.#value(node)}.write(${of})`;
      case 'alternatives':
        return `${this.#value(interpretAlternatives(node))}(${of})`;
      default:
        return `${this.functionFor(node)}(${of})`;
    }
  }

  #value(value: unknown): string {
    return `values[${this.values.push(value) - 1}]`;
  }

  #array({ items, least, most, isUnique }: ArrayNode): string {
    const length = lengthCheck(least, most);
    const item = this.#expression(items, 'item');
    const start = `const list = Array.isArray(value) ? value : itemsOf(value);\n${length}`;
    if (isUnique)
      return `${start}const texts = Array.from(list, (each) => { const item = orNull(each); return ${item}; });
return hasEqual(texts) ? unsure() : '[' + texts.join() + ']';`;
    return `${start}let text = '[';
for (let index = 0; index < list.length; index++) {
  let item = list[index];
  if (item === undefined) item = null;
  if (index > 0) text += ',';
  text += ${item};
}
return text + ']';`;
  }

  #tuple({ first, rest, least, most }: TupleNode): string {
    const cases = first.map(
      (node, index) => `case ${index}: text += ${this.#expression(node, 'item')}; break;`,
    );
    const other = rest ? `text += ${this.#expression(rest, 'item')};` : 'unsure();';
    return `const list = Array.isArray(value) ? value : itemsOf(value);
${lengthCheck(least, most)}let text = '[';
for (let index = 0; index < list.length; index++) {
  const item = orNull(list[index]);
  if (index > 0) text += ',';
  switch (index) {
    ${cases.join('\n    ')}
    default: ${other}
  }
}
return text + ']';`;
  }

  #object({ members, names, others }: ObjectNode): string {
    const namesValue = this.#value(names);
    const lines = [
      `if (!isPlain(value)) value = objectOf(value, ${namesValue}, ${this.#value(new WeakMap())});`,
      `let text = '{';`,
    ];
    // Known while the code is generated: whether another property always comes before this one.
    let follows = false;
    members.forEach(({ name, node, isRequired }, index) => {
      const key = JSON.stringify(name);
      const part = `part${index}`;
      const read = name in Object.prototype ? `ownValue(value, ${key})` : `value[${key}]`;
      const start = JSON.stringify(`${follows ? ',' : ''}${writeJson(name)}:`);
      const comma = follows || index === 0 ? '' : `(text.length > 1 ? ',' : '') + `;
      const write = `text += ${comma}${start} + ${this.#expression(node, part)};`;
      lines.push(`const ${part} = ${read};`, isRequired ? write : `if (${part} !== undefined) ${write}`);
      follows ||= isRequired;
    });
    if (others === 'refuse') lines.push(`if (hasOthers(value, ${namesValue})) unsure();`);
    if (typeof others === 'object')
      lines.push(
        `const more = otherTexts(value, ${namesValue}, ${this.functionFor(others)}).join();`,
        `if (more !== '') text += (text.length > 1 ? ',' : '') + more;`,
      );
    return [...lines, `return text + '}';`].join('\n');
  }

  #types({ byType }: TypesNode): string {
    const cases = Object.entries(byType).map(
      ([type, node]) => `case ${JSON.stringify(type)}: return ${this.#expression(node, 'settled')};`,
    );
    return `const settled = isPlain(value) ? value : settle(value);
switch (jsonTypeOf(settled)) {
  ${cases.join('\n  ')}
  default: return unsure();
}`;
  }

  #tagged({ property, byTag, otherwise }: TaggedNode): string {
    const cases = [...byTag].map(
      ([tag, node]) => `case ${JSON.stringify(tag)}: return ${this.#expression(node, 'settled')};`,
    );
    const other = otherwise
      ? `isSettled(tag) ? ${this.#expression(otherwise, 'settled')} : unsure()`
      : 'unsure()';
    return `const settled = isPlain(value) ? value : settle(value);
const tag = tagOf(settled, ${JSON.stringify(property)});
switch (tag) {
  ${cases.join('\n  ')}
  default: return ${other};
}`;
  }
}

function lengthCheck(least: number, most: number): string {
  const tooFew = least > 0 ? [`list.length < ${Number(least)}`] : [];
  const tooMany = Number.isFinite(most) ? [`list.length > ${Number(most)}`] : [];
  const wrong = [...tooFew, ...tooMany].join(' || ');
  return wrong && `if (${wrong}) unsure();\n`;
}
