import type { InspectedEntry } from '../../src/index.js';

interface MethodCase {
  readonly title: string;
  /** The name of the tool. */
  readonly name: string;
  readonly holds: (entry: InspectedEntry) => boolean;
}

const has = (parameter: string, keyword: string, value: unknown) => (entry: InspectedEntry) =>
  JSON.stringify(entry.input.properties?.[parameter]?.[keyword]) === JSON.stringify(value);

const fails = ({ diagnostics }: InspectedEntry) =>
  diagnostics.some(({ code, severity }) => code === 'TW_SCHEMA_LOST_RULE' && severity === 'error');

const isSecret = has('pin', 'writeOnly', true);
const isLimited = has('amount', 'maximum', 5);

/** A method of a class whose base or interface says something about its parameters. */
const overriding = (title: string, name: string): MethodCase[] => [
  { title: `a mark of ${title} holds`, name, holds: isSecret },
  { title: `a limit of ${title} holds`, name, holds: isLimited },
  { title: `the words of ${title} hold`, name, holds: has('amount', 'description', 'How much.') },
];

const marked = '/** @sensitive */ pin: string, /** How much. @maximum 5 */ amount: number';

export const methods = {
  cases: [
    ...overriding('an overridden method', 'overridden'),
    ...overriding('a method that is overridden twice', 'twice'),
    ...overriding('an abstract method', 'abstracted'),
    ...overriding('a method of an interface', 'implemented'),
    ...overriding('a function type of an interface', 'typed'),
    ...overriding('a method of a mixin', 'mixed'),
    ...overriding('an overload', 'overloaded'),
    ...overriding('a static method', 'fixed'),
    { title: 'a mark in @param of an overridden method holds', name: 'told', holds: isSecret },
    { title: 'tags on the line of a @param hold', name: 'told', holds: isLimited },
    {
      title: 'a mark beside a nested @param holds',
      name: 'nested',
      holds: (entry) => entry.input.properties?.['login']?.properties?.['pin']?.writeOnly === true,
    },
    { title: 'a mark beside a @param that names nothing fails the build', name: 'unnamed', holds: fails },
    { title: 'a mark in the comment of a method fails the build', name: 'misplacedMark', holds: fails },
    { title: 'a limit in the comment of a method fails the build', name: 'misplacedLimit', holds: fails },
    { title: 'a mark of a destructured property holds', name: 'destructured', holds: isSecret },
    { title: 'a marked type that is picked from fails the build', name: 'picked', holds: fails },
    { title: 'a marked type in an intersection fails the build', name: 'joined', holds: fails },
    {
      title: 'a marked type that others extend marks them',
      name: 'extended',
      holds: has('pin', 'writeOnly', true),
    },
    { title: 'a marked alias of an object in a list fails the build', name: 'listed', holds: fails },
    { title: 'a marked alias in a text fails the build', name: 'inText', holds: fails },
    { title: 'the limit of a generic alias in a list fails the build', name: 'generic', holds: fails },
    { title: 'the properties of several keys fail the build', name: 'severalKeys', holds: fails },
  ] satisfies MethodCase[],
  source: `
import { McpService, McpTool } from '@toolwright/core';
abstract class Base {
  /** 1 */ @McpTool() overridden(${marked}): void {}
  /** 1 */ @McpTool() twice(${marked}): void {}
  /** 1 */ @McpTool() abstract abstracted(${marked}): void;
  /**
   * Says.
   * @param pin the pin @sensitive
   * @param amount how much @maximum 5
   */
  @McpTool() told(pin: string, amount: number): void {}
  static fixed(${marked}): void {}
}
abstract class Middle extends Base {
  twice(pin: string, amount: number): void {}
}
interface Port { implemented(${marked}): void; typed: (${marked}) => void }
type Ctor = abstract new (...args: any[]) => Middle;
function Mixed<T extends Ctor>(Of: T) {
  abstract class Mix extends Of { mixed(${marked}): void {} }
  return Mix;
}
/** @sensitive */ interface Login { user: string }
interface Wider extends Login { more: string }
/** @sensitive */ type Hidden = Shape;
interface Shape { user: string }
/** @sensitive */ type Secret = string;
/** @maximum 5 */ type Limited<T> = T;
interface Both { /** @sensitive */ pin: string; user: string }
@McpService()
export class Methods extends Mixed(Middle) implements Port {
  overridden(pin: string, amount: number): void {}
  twice(pin: string, amount: number): void {}
  abstracted(pin: string, amount: number): void {}
  told(pin: string, amount: number): void {}
  /** 1 */ @McpTool() implemented(pin: string, amount: number): void {}
  /** 1 */ @McpTool() typed(pin: string, amount: number): void {}
  /** 1 */ @McpTool() mixed(pin: string, amount: number): void {}
  overloaded(${marked}): void;
  /** 1 */ @McpTool() overloaded(pin: string, amount: number): void {}
  /** 1 */ @McpTool() static fixed(pin: string, amount: number): void {}
  /**
   * Signs in.
   * @param login.pin the pin @sensitive
   */
  @McpTool() nested(login: { pin: string }, more: string): void {}
  /**
   * Signs in.
   * @param login.pni the pin @sensitive
   */
  @McpTool() unnamed(login: { pin: string }, more: string): void {}
  /**
   * Signs in.
   * @param pin the pin
   * @sensitive
   */
  @McpTool() misplacedMark(pin: string): void {}
  /**
   * Pays.
   * @maximum 5
   */
  @McpTool() misplacedLimit(amount: number): void {}
  /** 1 */ @McpTool() destructured({ pin, more = 'x' }: { /** @sensitive */ pin: string; more?: string }): void {}
  /** 1 */ @McpTool() picked(pin: Pick<Login, 'user'>, more: string): void {}
  /** 1 */ @McpTool() joined(pin: Login & { more: string }, more: string): void {}
  /** 1 */ @McpTool() extended(pin: Wider, more: string): void {}
  /** 1 */ @McpTool() listed(pin: Hidden[], more: string): void {}
  /** 1 */ @McpTool() inText(pin: \`key-\${Secret}\`, more: string): void {}
  /** 1 */ @McpTool() generic(amount: Limited<number>[], more: string): void {}
  /** 1 */ @McpTool() severalKeys(pin: Both[keyof Both], more: string): void {}
}`,
};
