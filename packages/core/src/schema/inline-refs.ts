import type { JsonSchema } from '@toolwright/manifest';
import { isSchema, mapSchema } from './map-schema.js';

const LOCAL = /^#\/(?:\$defs|definitions)\/([^/]+)$/;

/**
 * Inlines references to definitions of the schema itself, which many clients do not follow. A definition that
 * contains itself stays in `$defs`; a reference at the root shows its target once all the same, since clients look
 * for `type: object` there.
 */
export function inlineRefs(root: JsonSchema): JsonSchema {
  const definitions = { ...(root.definitions as Record<string, JsonSchema> | undefined), ...root.$defs };
  if (Object.keys(definitions).length === 0) return root;
  const recursive = new Set(Object.keys(definitions).filter((name) => reaches(name, name, definitions)));
  const kept: Record<string, JsonSchema> = {};

  const inline = (schema: JsonSchema): JsonSchema => {
    const name = definitionName(schema);
    if (name === undefined || !definitions[name]) return mapSchema(schema, inline);
    const { $ref: _ref, ...siblings } = schema;
    if (!recursive.has(name)) return { ...inline(definitions[name]), ...mapSchema(siblings, inline) };
    if (!kept[name]) {
      kept[name] = {};
      kept[name] = inline(definitions[name]);
    }
    return { ...mapSchema(siblings, inline), $ref: `#/$defs/${name}` };
  };

  const { $defs: _defs, definitions: _definitions, ...own } = root;
  const shown = inline(showRoot(own, definitions));
  return Object.keys(kept).length > 0 ? { ...shown, $defs: kept } : shown;
}

function showRoot(root: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const seen = new Set<string>();
  let shown = root;
  for (
    let name = definitionName(shown);
    name !== undefined && !seen.has(name);
    name = definitionName(shown)
  ) {
    seen.add(name);
    const { $ref: _ref, ...siblings } = shown;
    shown = { ...definitions[name], ...siblings };
  }
  return shown;
}

function definitionName({ $ref }: JsonSchema): string | undefined {
  const name = typeof $ref === 'string' ? LOCAL.exec($ref)?.[1] : undefined;
  return name === undefined
    ? undefined
    : decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}

function reaches(from: string, target: string, definitions: Record<string, JsonSchema>): boolean {
  const seen = new Set<string>();
  const queue = refsIn(definitions[from]);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === target) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...refsIn(definitions[name]));
  }
  return false;
}

function refsIn(schema: JsonSchema | undefined): string[] {
  const found: string[] = [];
  const visit = (inner: JsonSchema): JsonSchema => {
    const name = definitionName(inner);
    if (name !== undefined) found.push(name);
    return mapSchema(inner, visit);
  };
  if (isSchema(schema)) visit(schema);
  return found;
}
