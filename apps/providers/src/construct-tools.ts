import { type integer, McpService, McpTool } from '@toolwright/core';

type Priority = 'urgent' | 'high' | 'normal' | 'low';

interface Circle {
  kind: 'circle';
  radius: number;
}

interface Square {
  kind: 'square';
  side: number;
}

interface Address {
  /** Street and number of the house. */
  street: string;
  city?: string;
}

interface Folder {
  name: string;
  folders: Folder[];
}

interface Contact {
  /** Null if there is none. */
  phone: string | null;
}

/** One tool for each construct of a type that a schema has to carry. Each takes one argument and says that it came. */
@McpService()
export class ConstructTools {
  /** A parameter that may be left out. */
  @McpTool({ annotations: { readOnlyHint: true } })
  optional(value?: string): string {
    return heard(value);
  }

  /** A parameter that must be given, and may be null. */
  @McpTool({ annotations: { readOnlyHint: true } })
  nullable(name: string, value: string | null): string {
    return heard([name, value]);
  }

  /** Null moves the page to the top; left out, the page stays where it is. */
  @McpTool({ annotations: { readOnlyHint: true } })
  optionalNullable(name: string, value?: string | null): string {
    return heard([name, value]);
  }

  /** A choice, or null. */
  @McpTool({ annotations: { readOnlyHint: true } })
  nullableEnumeration(name: string, value: Priority | null): string {
    return heard([name, value]);
  }

  /** An object, or null. */
  @McpTool({ annotations: { readOnlyHint: true } })
  nullableObject(name: string, value: Address | null): string {
    return heard([name, value]);
  }

  /** An enum whose order means something. */
  @McpTool({ annotations: { readOnlyHint: true } })
  enumeration(value: Priority): string {
    return heard(value);
  }

  /** A whole number. */
  @McpTool({ annotations: { readOnlyHint: true } })
  integer(value: integer): string {
    return heard(value);
  }

  /** A number between bounds. */
  @McpTool({ annotations: { readOnlyHint: true } })
  numberBounds(/** @minimum 1 @maximum 100 */ value: number): string {
    return heard(value);
  }

  /** A text of a certain length. */
  @McpTool({ annotations: { readOnlyHint: true } })
  stringLength(/** @minLength 2 @maxLength 5 */ value: string): string {
    return heard(value);
  }

  /** A text that matches a pattern. */
  @McpTool({ annotations: { readOnlyHint: true } })
  pattern(/** @pattern ^[A-Z]{2}-[0-9]+$ */ value: string): string {
    return heard(value);
  }

  /** A text of a known format. */
  @McpTool({ annotations: { readOnlyHint: true } })
  format(/** @format email */ value: string): string {
    return heard(value);
  }

  /** A date. */
  @McpTool({ annotations: { readOnlyHint: true } })
  date(value: Date): string {
    return heard(value);
  }

  /** A parameter with a default. */
  @McpTool({ annotations: { readOnlyHint: true } })
  defaulted(value = 'weekly'): string {
    return heard(value);
  }

  /** A list of a certain length. */
  @McpTool({ annotations: { readOnlyHint: true } })
  listBounds(/** @minItems 1 @maxItems 2 */ value: string[]): string {
    return heard(value);
  }

  /** Two values in a fixed order. */
  @McpTool({ annotations: { readOnlyHint: true } })
  tuple(value: [string, number]): string {
    return heard(value);
  }

  /** Names of the caller's choice, each with a number. */
  @McpTool({ annotations: { readOnlyHint: true } })
  record(value: Record<string, number>): string {
    return heard(value);
  }

  /** An object in an object. */
  @McpTool({ annotations: { readOnlyHint: true } })
  nested(name: string, value: Address): string {
    return heard([name, value]);
  }

  /** An object with a property that may be null. */
  @McpTool({ annotations: { readOnlyHint: true } })
  nestedNullable(name: string, value: Contact): string {
    return heard([name, value]);
  }

  /** Objects that a literal tells apart. */
  @McpTool({ annotations: { readOnlyHint: true } })
  discriminatedUnion(name: string, value: Circle | Square): string {
    return heard([name, value]);
  }

  /** Values of several simple types. */
  @McpTool({ annotations: { readOnlyHint: true } })
  primitiveUnion(name: string, value: string | number): string {
    return heard([name, value]);
  }

  /** A type that contains itself. */
  @McpTool({ annotations: { readOnlyHint: true } })
  recursion(name: string, value: Folder): string {
    return heard([name, value]);
  }

  /**
   * Explained on every level: here,
   * @param name at the parameter,
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  descriptions(name: string, value: Address): string {
    return heard([name, value]);
  }

  /** Takes nothing but its parameter. */
  @McpTool({ annotations: { readOnlyHint: true } })
  closed(value: string): string {
    return heard(value);
  }
}

const heard = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
