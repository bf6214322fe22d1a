/** The parts of an OpenAPI document that this package reads. Everything may be missing: real documents break rules. */

export interface Reference {
  $ref: string;
}

export type OrReference<T> = T | Reference;

export interface OpenApiDocument {
  openapi?: string;
  swagger?: string;
  info?: { title?: string; version?: string; description?: string };
  servers?: ServerObject[];
  tags?: { name?: string; description?: string }[];
  paths?: Record<string, OrReference<PathItem>>;
  webhooks?: Record<string, unknown>;
  components?: { securitySchemes?: Record<string, OrReference<SecurityScheme>> };
  security?: SecurityRequirement[];
}

export interface ServerObject {
  url?: string;
  variables?: Record<string, { default?: string }>;
}

export type SecurityRequirement = Record<string, string[]>;

export interface SecurityScheme {
  type?: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  name?: string;
  in?: 'query' | 'header' | 'cookie';
  scheme?: string;
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof methods)[number];

export type PathItem = { [method in HttpMethod]?: ApiOperation } & {
  summary?: string;
  parameters?: OrReference<Parameter>[];
  servers?: ServerObject[];
};

export interface ApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: OrReference<Parameter>[];
  requestBody?: OrReference<RequestBody>;
  responses?: Record<string, OrReference<Response>>;
  security?: SecurityRequirement[];
  servers?: ServerObject[];
}

export interface Parameter {
  name?: string;
  in?: 'path' | 'query' | 'header' | 'cookie';
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  schema?: OrReference<Schema>;
  content?: Record<string, MediaType>;
  example?: unknown;
}

export interface RequestBody {
  description?: string;
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface Response {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface MediaType {
  schema?: OrReference<Schema>;
  /** Of version 3.2: each item of a sequence. */
  itemSchema?: OrReference<Schema>;
  encoding?: Record<string, { contentType?: string; style?: string; explode?: boolean }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema | boolean>;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  nullable?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  discriminator?: { propertyName?: string; mapping?: Record<string, string> };
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number | boolean;
  exclusiveMaximum?: number | boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  minProperties?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  contentEncoding?: string;
  contentMediaType?: string;
}
