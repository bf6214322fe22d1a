import type { JsonSchema } from '@toolwright/manifest';
import { oncePerSchema } from '../../base/schema/once-per-schema.js';

/** Turns a schema inside a document into a separate document with the same meaning of references. */
export function standAlone(part: JsonSchema, root: JsonSchema): JsonSchema {
  if (part === root) return root;
  const { $defs } = root;
  const alone = $defs ? { ...part, $defs } : part;
  // In schemas of the compiler, all references lead to definitions.
  if (!leadsElsewhere(part) && !($defs && leadsElsewhere($defs as JsonSchema))) return alone;
  return redirect({ ...alone, $defs: { ...$defs, [WHOLE]: root } });
}

/** This is called for each part of a document. Its definitions, often most of it, are read once. */
const leadsElsewhere = oncePerSchema((schema) => /"\$ref":"#(?!\/\$defs\/)/.test(JSON.stringify(schema)));

/** The name of the whole document among the definitions. */
const WHOLE = 'toolwright.document';

function redirect(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === '$ref' && typeof value === 'string' && /^#(?:$|\/(?!\$defs\/))/.test(value)
      ? `#/$defs/${WHOLE}${value.slice(1)}`
      : value,
  );
  return JSON.parse(text) as JsonSchema;
}
