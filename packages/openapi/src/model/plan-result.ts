import { plural, referenceName, wordsOf } from '@toolwright/json';
import type { ApiOperation, MediaType, Response, Schema } from '../read/openapi-document.js';
import { isObject, type Specification } from '../read/specification.js';
import { isJson, isJsonLines, isText } from './media-types.js';
import { orNull } from './open-forms.js';
import type { OutputSchemas } from './output-schemas.js';
import type { PlannedResult } from './planned-operation.js';
import { behind, typesOf } from './schema-facts.js';

/** What an operation answers. */
export interface PlannedAnswer {
  readonly answer: MediaType | undefined;
  readonly answerKind: 'json' | 'text' | 'file' | 'location' | 'none';
  /** There is a success without content beside the answer. */
  readonly mayBeEmpty: boolean;
}

/** The first answer that says success, in the form that is easiest to read. */
export function answerOf(specification: Specification, operation: ApiOperation): PlannedAnswer {
  const answer = firstAnswer(specification, operation);
  const mayBeEmpty = answer.answerKind === 'json' && hasEmptyAnswer(specification, operation);
  return { ...answer, mayBeEmpty };
}

function firstAnswer(
  specification: Specification,
  { responses = {} }: ApiOperation,
): Omit<PlannedAnswer, 'mayBeEmpty'> {
  const code =
    Object.keys(responses).find((each) => /^2(?:\d\d|XX)$/i.test(each)) ??
    (responses['default'] ? 'default' : undefined);
  if (code === undefined) return { answer: undefined, answerKind: 'none' };
  const { headers, content: stated = {} } = specification.resolve<Response>(responses[code]).value;
  // Version 3.2 has references of media types.
  const content = Object.entries(stated).map(
    ([type, media]) => [type, specification.resolve<MediaType>(media).value] as const,
  );
  const json = content.find(([type]) => isJson(type));
  if (json) {
    const { format } = specification.resolve<Schema>(json[1].schema).value;
    return { answer: json[1], answerKind: format === 'binary' ? 'file' : 'json' };
  }
  const hasLocation = isObject(headers) && Object.keys(headers).some((name) => /^location$/i.test(name));
  if (content.length === 0) return { answer: undefined, answerKind: hasLocation ? 'location' : 'none' };
  const lines = content.find(([type]) => isJsonLines(type));
  if (lines) return { answer: asList(specification, lines[1]), answerKind: 'json' };
  const text = content.find(([type]) => isText(type));
  return text ? { answer: text[1], answerKind: 'text' } : { answer: undefined, answerKind: 'file' };
}

/** RFC 9110, 9.3.4: PUT answers 201 with what it made, and 204 without anything where it was there before. */
const hasEmptyAnswer = (specification: Specification, { responses = {} }: ApiOperation): boolean =>
  Object.entries(responses).some(([code, each]) => {
    const { content = {} } = specification.resolve<Response>(each).value;
    return /^2(?:\d\d|XX)$/i.test(code) && Object.keys(content).length === 0;
  });

/** The client reads lines of JSON as a list. Some documents describe the list, and others one line. */
function asList(specification: Specification, { schema = {}, itemSchema }: MediaType): MediaType {
  if (itemSchema) return { schema: { type: 'array', items: itemSchema as Schema } };
  const isList = typesOf(specification.resolve<Schema>(schema).value)[0] === 'array';
  return { schema: isList ? schema : { type: 'array', items: schema as Schema } };
}

export function resultOf(
  each: PlannedAnswer & { readonly method: string },
  name: string,
  outputs: OutputSchemas,
  items: string | undefined,
): PlannedResult {
  // The answer to HEAD has no content (RFC 9110, 9.3.2).
  if (each.answerKind === 'none' || each.method === 'HEAD') return { kind: 'none' };
  if (each.answerKind === 'location') return { kind: 'text', isLocation: true };
  if (each.answerKind !== 'json') return { kind: 'text' };
  const schema = outputs.of(each.answer!.schema as Schema | undefined, `${name}Result`);
  // An empty answer is a text, too.
  if (schema.type === 'string') return { kind: 'text' };
  if (items === undefined) {
    const isNullable = each.mayBeEmpty || outputs.isNullable(each.answer!.schema as Schema);
    return {
      kind: 'json',
      schema: isNullable ? orNull(schema) : schema,
      ...(each.mayBeEmpty && { mayBeEmpty: true }),
    };
  }
  const wrapper = behind(schema, outputs.definitions);
  return {
    kind: 'json',
    schema: wrapper.properties?.[items] ?? {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
    },
  };
}

/** Models do not see the type of a result before they call, so the description names it. */
export function withResult(description: string, toolName: string, result: PlannedResult): string {
  const text =
    description ||
    `${wordsOf(toolName)
      .join(' ')
      .replace(/^./, (first) => first.toUpperCase())}.`;
  if (
    result.kind === 'none' ||
    /\b(?:return|answer|give|tell|list|yield|stream|read|get|count|show)s?\b/i.test(text)
  )
    return text;
  if (result.kind === 'text') return `${text} Returns ${result.isLocation ? 'its address' : 'text'}.`;
  const isList = result.schema.type === 'array';
  const name = referenceName((isList && result.schema.items) || result.schema) ?? '';
  const words = wordsOf(name).filter((word) => word !== 'result' && word !== 'item' && word !== 'summary');
  const last = words.pop();
  if (last === undefined || wordsOf(toolName).length >= words.length + 2)
    return `${text} Returns ${isList ? 'a list' : 'the result'}.`;
  return `${text} Returns ${isList ? '' : 'the '}${[...words, isList ? plural(last) : last].join(' ')}.`;
}
