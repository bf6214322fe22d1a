import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';

/** A JSON Schema, or a schema in a dialect of a provider. */
export type Schema = Record<string, unknown>;

/** The server as converters find it: they get a client, the address, or what a client listed. */
export interface Served {
  client: Client;
  url: string;
  tools: Tool[];
}

/** A tool as its provider gets it. */
export interface Declaration {
  description: string | undefined;
  /** Of the arguments, as JSON Schema. */
  schema: Schema;
  /** The provider only advises the model of the schema, though the converter was asked to have it enforced. */
  advice?: boolean;
  /** What reaches the server when the model writes these arguments. Absent: the same. */
  read?(args: unknown): Promise<unknown>;
}

/** Published code that turns tools of MCP servers into tools of a model. */
export interface Converter {
  /** Its column in the table. */
  label: string;
  /**
   * Gives for each tool what the provider gets. A converter that fails for all of them throws; the function of one
   * tool throws where only that one fails.
   */
  convert(served: Served): Promise<(tool: Tool) => Promise<Declaration>>;
}
