import { wordsOf } from '@toolwright/json';
import type { JsonSchema } from './schema-facts.js';

/** Words of a property whose value nobody should see again. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|secret|client_secret|secret_key|private_key|api_key|apikey|access_token|refresh_token|auth_token)$/;

export const isSecret = (name: string, schema: JsonSchema) =>
  schema.type === 'string' && SECRET.test(wordsOf(name).join('_'));

/** Marks a text whose name says that it is a secret. */
export const markSecret = (name: string, schema: JsonSchema): JsonSchema =>
  isSecret(name, schema) ? { ...schema, writeOnly: true } : schema;
