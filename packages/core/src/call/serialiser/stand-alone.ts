import type { JsonSchema } from '@toolwright/manifest';

/** A schema from inside of a document, as a document of its own, in which its references lead to the same. */
export function standAlone(part: JsonSchema, root: JsonSchema): JsonSchema {
  if (part === root) return root;
  const { $defs } = root;
  const alone = $defs ? { ...part, $defs } : part;
  const text = JSON.stringify(part) + JSON.stringify($defs ?? {});
  // References of the compiler's schemas all lead to definitions.
  if (!/"\$ref":"#(?!\/\$defs\/)/.test(text)) return alone;
  return redirect({ ...alone, $defs: { ...$defs, [WHOLE]: root } });
}

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
