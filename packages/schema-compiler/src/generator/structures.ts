import { CLASS_MARK } from '@toolwright/manifest';
import type { DocComments } from '../docs/doc-comments.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type JsonProperties, PROTO, indexSignatures } from '../types/json-properties.js';
import { type SchemaRole, acceptsUndefined, acceptsNull } from '../types/members.js';
import { isForeign } from '../types/unsendable.js';
import { itemDefinition, primitiveName, tupleSchema } from './plain-schemas.js';
import { type Definition, type TypeUse, ts } from './tjs-adapter.js';

/** What the parts of a list or an object are defined by. */
interface Parts {
  readonly reporter: Reporter;
  readonly properties: JsonProperties;
  readonly docs: DocComments;
  define(type: ts.Type, use?: TypeUse): Definition;
  property(property: ts.Symbol): Definition | null;
  /** Adds what the type of a parameter says that has become the item of a tuple. */
  ofParameter(label: ts.Declaration | undefined, definition: Definition): Definition;
  /** Reports rules of a property that no running class has for it. */
  tellLeftBehind(property: ts.Symbol, holder: ts.Type): void;
}

/** Lists, tuples and objects: their definitions from those of their parts. */
export class Structures {
  constructor(
    private readonly parts: Parts,
    private readonly checker: ts.TypeChecker,
  ) {}

  /** A primitive type, a list, a tuple, or an object with number keys. Undefined for other types. */
  root(type: ts.Type, definition: Definition, role: SchemaRole): Definition | undefined {
    const primitive = primitiveName(type);
    if (primitive !== undefined) return Object.assign(definition, { type: primitive });
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      definition.type = 'array';
      definition.items ??= this.parts.reporter.within('[]', () =>
        itemDefinition({ checker: this.checker, role }, item!, (each) => this.parts.define(each)),
      );
      return definition;
    }
    if (this.checker.isTupleType(type))
      return Object.assign(definition, this.tuple(type as ts.TupleTypeReference, role));
    const isObject = type.flags & ts.TypeFlags.Object && !this.checker.isArrayLikeType(type);
    return isObject && type.getNumberIndexType() ? this.object(type, definition, role) : undefined;
  }

  private tuple(type: ts.TupleTypeReference, role: SchemaRole): Definition {
    const { docs, reporter } = this.parts;
    const define = (element: ts.Type, isOptional: boolean, label?: ts.Declaration): Definition => ({
      ...this.parts.ofParameter(
        label,
        isOptional
          ? this.element(element)
          : itemDefinition({ checker: this.checker, role }, element, (each) => this.element(each)),
      ),
      ...docs.at(label),
    });
    return tupleSchema(type, this.checker.getTypeArguments(type), {
      define,
      onAnyOrder: () => {
        const name = this.checker.typeToString(type);
        if (role === 'input')
          reporter.report('TW_SCHEMA_TUPLE_ORDER', `${name} is taken in any order from its rest element on.`);
      },
    });
  }

  /** A type at a place of its own. There, `undefined` among its parts is not a value. */
  private element(type: ts.Type): Definition {
    const isReduced = type.isUnion() && acceptsUndefined(type) && !acceptsNull(type);
    return this.parts.define(isReduced ? this.checker.getNonNullableType(type) : type, {
      ignoreUndefined: true,
    });
  }

  /** An object, also one that an intersection describes. */
  object(type: ts.Type, definition: Definition, role: SchemaRole): Definition {
    const properties: Record<string, Definition> = {};
    const required: string[] = [];
    for (const { name, symbol } of this.parts.properties.of(type, role)) {
      const schema = this.parts.property(symbol);
      if (schema === null) continue;
      this.parts.tellLeftBehind(symbol, type);
      properties[name] = schema;
      if (this.parts.properties.isRequired(symbol, role)) required.push(name);
    }
    const { reporter } = this.parts;
    this.parts.properties.checkLeftOut(type, role);
    const proto = type.getProperty(PROTO);
    if (proto && !isForeign(proto))
      reporter.report('TW_SCHEMA_PROTO', `A property is called ${PROTO}.`, proto.valueDeclaration);
    for (const accessor of this.parts.properties.leftOutAccessors(type, role))
      if (!isForeign(accessor))
        reporter.report('TW_SCHEMA_ACCESSOR', `${accessor.name} is an accessor.`, accessor.valueDeclaration);
    definition.type ??= 'object';
    if (Object.keys(properties).length > 0) definition.properties = properties;
    if (required.length > 0) definition.required = required.sort();
    Object.assign(
      definition,
      indexSignatures(type, this.checker, (value, declaration) =>
        reporter.within('*', () => ({ ...this.parts.define(value), ...this.parts.docs.at(declaration) })),
      ),
      definition.additionalProperties === undefined
        ? {}
        : { additionalProperties: definition.additionalProperties },
    );
    if (role === 'input') {
      definition.additionalProperties ??= false;
      const key = this.parts.properties.rules.mergedClass(type);
      if (key !== undefined) definition[CLASS_MARK] = key;
    }
    return definition;
  }
}
