import { isHttpToken } from '@toolwright/json';

/**
 * The shape of each part of a specification that this package reads. `text[]` is a list of texts, `schema{}` is a map whose
 * values are schemas, and `a|b` means that both shapes are right. The package never reads what no shape names.
 */
export type PartShape = string;

export interface ObjectShape {
  readonly members: Readonly<Record<string, PartShape>>;
  /** Without one of these, the part means nothing. */
  readonly needs?: readonly string[];
  /** The values that a text may have. Another one would be read as something that nobody wrote. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** What else must be true: a sentence about the part, or undefined. */
  check?(part: Readonly<Record<string, unknown>>): string | undefined;
}

/** The members of each of these names have one shape. */
const all = (shape: PartShape, names: string): Record<string, PartShape> =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));

const operation = all('operation', 'get put post delete options head patch trace');

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer', 'file'];

const bounds = {
  ...all('number', 'minimum maximum multipleOf minLength maxLength minItems maxItems minProperties'),
  ...all('number|flag', 'exclusiveMinimum exclusiveMaximum'),
};

const ofOperation = {
  ...all('text', 'operationId summary description'),
  tags: 'text[]',
  deprecated: 'flag',
  security: 'text[]{}[]',
};

/** The parts of version 2.0 that differ. They are compared before the document is converted. */
const version2: Readonly<Record<string, ObjectShape>> = {
  document2: {
    members: {
      info: 'info',
      host: 'text',
      basePath: 'text',
      tags: 'tag[]',
      security: 'text[]{}[]',
      ...all('text[]', 'schemes consumes produces'),
      paths: 'item2{}',
      definitions: 'schema{}',
      parameters: 'parameter2{}',
      responses: 'response2{}',
      securityDefinitions: 'scheme2{}',
    },
  },
  item2: {
    members: { ...all('operation2', 'get put post delete options head patch'), parameters: 'parameter2[]' },
  },
  operation2: {
    members: {
      ...ofOperation,
      ...all('text[]', 'schemes consumes produces'),
      parameters: 'parameter2[]',
      responses: 'response2{}',
    },
  },
  parameter2: {
    members: {
      ...all('text', 'name in description type format pattern collectionFormat'),
      ...all('flag', 'required uniqueItems allowEmptyValue'),
      ...bounds,
      enum: 'any[]',
      items: 'schema',
      schema: 'schema',
    },
    needs: ['name', 'in'],
    values: {
      in: ['path', 'query', 'header', 'formData', 'body'],
      type: TYPES,
      collectionFormat: ['csv', 'ssv', 'tsv', 'pipes', 'multi'],
    },
    check: ({ in: place, schema, type }) =>
      place === 'body' && schema === undefined
        ? 'needs "schema"'
        : place !== 'body' && type === undefined
          ? 'needs "type"'
          : undefined,
  },
  response2: { members: { description: 'text', schema: 'schema' } },
  scheme2: {
    members: { ...all('text', 'type name in flow description authorizationUrl tokenUrl'), scopes: 'text{}' },
    needs: ['type'],
    values: { type: ['basic', 'apiKey', 'oauth2'], in: ['query', 'header'] },
    check: ({ type, name, in: place }) =>
      type === 'apiKey' && !(name && place) ? 'needs "name" and "in"' : undefined,
  },
};

export const shapes: Readonly<Record<string, ObjectShape>> = {
  ...version2,
  document: {
    members: {
      info: 'info',
      servers: 'server[]',
      tags: 'tag[]',
      paths: 'item{}',
      components: 'components',
      security: 'text[]{}[]',
    },
  },
  components: { members: { securitySchemes: 'scheme{}' } },
  info: { members: all('text', 'title version description') },
  server: {
    members: { url: 'text', variables: 'variable{}' },
    // An empty one is relative to the place of the document.
    check: ({ url }) => (url === undefined ? 'has no "url"' : undefined),
  },
  variable: { members: { default: 'text' } },
  tag: { members: all('text', 'name description'), needs: ['name'] },
  scheme: {
    members: all('text', 'type name in scheme'),
    needs: ['type'],
    values: {
      type: ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'],
      in: ['query', 'header', 'cookie'],
    },
    check: ({ type, name, in: place, scheme }) =>
      type === 'apiKey' && !(name && place)
        ? 'needs "name" and "in"'
        : type === 'http' && !scheme
          ? 'needs "scheme"'
          : undefined,
  },
  item: { members: { ...operation, parameters: 'parameter[]', servers: 'server[]' } },
  operation: {
    members: {
      ...ofOperation,
      parameters: 'parameter[]',
      requestBody: 'body',
      responses: 'response{}',
      servers: 'server[]',
    },
  },
  parameter: {
    members: {
      ...all('text', 'name in description style'),
      ...all('flag', 'required deprecated explode allowReserved'),
      schema: 'schema',
      content: 'media{}',
    },
    needs: ['name', 'in'],
    values: {
      // The last one is of version 3.2: its operations are left out with a reason.
      in: ['path', 'query', 'header', 'cookie', 'querystring'],
      // The last one is of version 3.2.
      style: ['matrix', 'label', 'form', 'simple', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'cookie'],
    },
    check: ({ name, in: place, schema, content }) =>
      schema === undefined && content === undefined
        ? 'needs "schema" or "content"'
        : place === 'header' && !isHttpToken(String(name))
          ? `has the name ${JSON.stringify(name)}, which no header can have`
          : undefined,
  },
  body: {
    members: { description: 'text', required: 'flag', content: 'media{}' },
    needs: ['content'],
  },
  response: { members: { description: 'text', content: 'media{}' } },
  media: { members: { schema: 'schema', itemSchema: 'schema', encoding: 'encoding{}' } },
  encoding: { members: { ...all('text', 'contentType style'), ...all('flag', 'explode allowReserved') } },
  schema: {
    members: {
      ...all('text', 'format title description pattern contentEncoding contentMediaType'),
      ...all('flag', 'nullable x-nullable readOnly writeOnly deprecated uniqueItems'),
      ...bounds,
      ...all('schema[]', 'allOf oneOf anyOf prefixItems'),
      ...all('schema{}', 'properties patternProperties'),
      type: 'text|text[]',
      required: 'text[]',
      enum: 'any[]',
      items: 'schema',
      additionalProperties: 'schema',
      discriminator: 'discriminator',
    },
    // `file` comes from version 2.0.
    values: { type: TYPES },
  },
  discriminator: { members: { propertyName: 'text', mapping: 'text{}' }, needs: ['propertyName'] },
};
