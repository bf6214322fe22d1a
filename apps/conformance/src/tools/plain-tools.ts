import { McpService, McpTool, Schema, type integer } from '@toolwright/core';

const addressBook = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const mirrored = {
  type: 'object',
  properties: {
    s: { type: 'string', 'x-mcp-header': 'S' },
    n: { type: 'integer', 'x-mcp-header': 'N' },
    b: { type: 'boolean', 'x-mcp-header': 'B' },
    nested: { type: 'object', properties: { t: { type: 'string', 'x-mcp-header': 'T' } } },
  },
};

interface AddressBookEntry {
  name?: string;
  address?: { street?: string; city?: string };
  contactMethod?: 'phone' | 'email';
  phone?: string;
  email?: string;
}

interface MirroredArguments {
  s?: string;
  n?: integer;
  b?: boolean;
  nested?: { t?: string };
}

/** Tools that work on their arguments alone. */
@McpService()
export class PlainTools {
  /**
   * Returns the text it is given.
   * @param text what to return
   */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  echo(text: string): string {
    return text;
  }

  /** Adds two numbers. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  add(a: number, b: number): { sum: number } {
    return { sum: a + b };
  }

  /** Takes an address book entry whose schema uses keywords of JSON Schema 2020-12. */
  @McpTool({ name: 'json_schema_2020_12_tool', annotations: { readOnlyHint: true, openWorldHint: false } })
  @Schema(addressBook, { exact: true })
  addressBook(entry: AddressBookEntry): string {
    return `Got ${Object.keys(entry).join(', ')}.`;
  }

  /** Takes arguments that clients mirror into headers. */
  @McpTool({ name: 'test_x_mcp_header', annotations: { readOnlyHint: true, openWorldHint: false } })
  mirroredRegion(
    @Schema({ type: 'string', 'x-mcp-header': 'Region' }) region: string,
    level?: integer,
  ): string {
    return `Region ${region}${level === undefined ? '' : `, level ${level}`}.`;
  }

  /** Returns its arguments as JSON; clients mirror all of them into headers. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @Schema(mirrored, { exact: true })
  xhdr(args: MirroredArguments): string {
    return JSON.stringify(args);
  }
}
