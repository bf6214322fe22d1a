import type { JsonSchema } from '@toolwright/manifest';

/** True when the schema accepts only objects, as far as its root shows. */
export function isObjectSchema({ type, $ref, $defs = {} }: JsonSchema): boolean {
  const root = $ref?.startsWith('#/$defs/') ? $defs[$ref.slice('#/$defs/'.length)] : undefined;
  return (root?.type ?? type) === 'object';
}
