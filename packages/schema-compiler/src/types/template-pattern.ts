import { ts } from 'typescript-json-schema';

/** The regular expression that matches exactly the strings of a template literal type. */
export function templatePattern(type: ts.TemplateLiteralType | ts.StringMappingType): string {
  return `^${body(type)}$`;
}

function body(type: ts.Type): string {
  if (type.flags & ts.TypeFlags.TemplateLiteral) {
    const { texts, types } = type as ts.TemplateLiteralType;
    return texts.map((text, index) => escape(text) + (types[index] ? body(types[index]) : '')).join('');
  }
  if (type.flags & ts.TypeFlags.StringMapping) return mapped(type as ts.StringMappingType);
  if (type.flags & ts.TypeFlags.Number) return '-?\\d+(\\.\\d+)?';
  if (type.flags & ts.TypeFlags.BigInt) return '-?\\d+';
  if (type.flags & ts.TypeFlags.StringLiteral) return escape((type as ts.StringLiteralType).value);
  if (type.flags & ts.TypeFlags.Union) return `(${(type as ts.UnionType).types.map(body).join('|')})`;
  if (type.flags & ts.TypeFlags.Intersection) return body(carrier(type as ts.IntersectionType));
  return '.*';
}

function carrier(type: ts.IntersectionType): ts.Type {
  return type.types.find((part) => !(part.flags & ts.TypeFlags.Object)) ?? type.types[0]!;
}

function mapped(type: ts.StringMappingType): string {
  switch (type.symbol.name) {
    case 'Uppercase':
      return '[^a-z]*';
    case 'Lowercase':
      return '[^A-Z]*';
    case 'Capitalize':
      return '([^a-z].*)?';
    default:
      return '([^A-Z].*)?';
  }
}

/** Escapes only what has to be escaped with the `u` flag, because Ajv compiles patterns with this flag. */
function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
