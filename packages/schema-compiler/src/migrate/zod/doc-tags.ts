import type { ts } from 'typescript-json-schema';
import { fitsComment } from '../doc-comment.js';
import { Refusal } from '../refusal.js';
import type { Shape } from './shape.js';

/** The doc tags that say the rules of a schema, such as `@minimum 1`. */
export function docTags({ rules }: Shape): string[] {
  return Object.entries(rules).map(([keyword, value]) => `@${keyword} ${String(value)}`);
}

/** The description of a schema, or nothing. */
export function descriptionOf({ description = '' }: Shape, node: ts.Node): string {
  if (fitsComment(description)) return description;
  throw new Refusal(
    node,
    'A description has characters that a doc comment cannot hold.',
    'Write the parameter by hand, and its description with @Schema({ description }).',
  );
}
