import type { JsonSchema } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import { toJsonDefault } from '../defaults/to-json-default.js';
import type { Reporter } from '../diagnostics/reporter.js';
import type { FoundDecorator } from '../discover/find-decorators.js';
import { isStandardSchema } from './standard-schemas.js';

/** A schema that the author wrote. */
export interface GivenSchema {
  schema: JsonSchema;
  /** Published unchanged. */
  exact: boolean;
  node: ts.Node;
}

/** Evaluates `@Schema({ … }, { exact: true })`. An argument that is computed at run time is reported. */
export function readSchemaDecorator(
  decorators: FoundDecorator[],
  checker: ts.TypeChecker,
  reporter: Reporter,
): GivenSchema | undefined {
  const decorator = decorators.find(({ name }) => name === 'Schema');
  const [given, options] = decorator?.arguments ?? [];
  if (!decorator || !given || isStandardSchema(given, checker)) return undefined;
  const schema = foldConstant(given, checker);
  if (!schema || typeof schema.value !== 'object' || schema.value === null) {
    reporter.report('TW_SCHEMA_NOT_CONSTANT', 'The argument of @Schema is not a constant.', given);
    return undefined;
  }
  const folded = options && (foldConstant(options, checker)?.value as { exact?: boolean } | undefined);
  return {
    schema: toJsonDefault(schema.value) as JsonSchema,
    exact: folded?.exact === true,
    node: decorator.node,
  };
}
