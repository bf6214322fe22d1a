export type { Detail } from './model/detail.js';
export { ApiClient, type ApiClientOptions } from './run/api-client.js';
export type { ApiRequest, Json } from './run/api-request.js';
export type { ApiCredentials, ApiKeyCredential, Secret } from './run/credentials.js';
export type { AnsweredRequest } from './run/answered-request.js';
export { type ApiOrigin, CallsApi } from './run/calls-api.js';
export { openApiTools, type OpenApiToolsOptions } from './run/openapi-tools.js';
export type { ApiPages } from './run/read-pages.js';
export {
  asJson,
  commaSeparated,
  deepObject,
  exploded,
  label,
  labelExploded,
  matrix,
  matrixExploded,
  pipeDelimited,
  reserved,
  spaceDelimited,
  StyledValue,
  type ValueStyle,
} from './run/styled-value.js';
export {
  openApiErrorCatalogue,
  type OpenApiErrorCode,
  SpecificationError,
} from './read/specification-error.js';
