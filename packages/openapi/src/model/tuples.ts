import type { Schema } from '../read/openapi-document.js';
import { isObject } from '../read/specification.js';
import { limits } from './bounds.js';
import type { JsonSchema } from './schema-facts.js';
import { cutText, distinct } from '@toolwright/json';

/** What a place is. There may be many. */
const LONGEST = 40;

/**
 * A tuple as a list. Hosts take no places of a tuple. So each item has the types of all places, and the description says their
 * order.
 *
 * @param parts the schemas of the places, and of the items behind them if those have one
 */
export function tupleForm(schema: Schema, parts: readonly JsonSchema[]): JsonSchema {
  const { prefixItems: places = [], items, maxItems = Infinity } = schema;
  const forms = parts.map(({ description: _words, ...form }) => form);
  const different = distinct(forms);
  // Without a word about the items behind the places, they may be anything.
  const isOpen =
    (items !== false && !isObject(items)) || forms.some((form) => Object.keys(form).length === 0);
  const words = places.map((each, index) => parts[index]!.description ?? each.title ?? typeOf(forms[index]!));
  return {
    type: 'array',
    items: isOpen ? {} : different.length === 1 ? different[0]! : { anyOf: different },
    ...limits(schema, ['minItems', 'maxItems']),
    ...(items === false && { maxItems: Math.min(maxItems, places.length) }),
    description: `In this order: ${words.map((each) => cutText(each.replace(/\.$/, ''), LONGEST, '…')).join('; ')}.`,
  };
}

const typeOf = ({ type = 'value' }: JsonSchema) => [type].flat().join(' or ');
