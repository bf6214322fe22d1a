import type { ObjectRevival } from '@toolwright/manifest';

/** The properties by their names in the class. */
export function renamed({
  properties = {},
  names = {},
  late = [],
  ...revival
}: ObjectRevival): ObjectRevival {
  const rename = (name: string) => names[name] ?? name;
  return {
    ...revival,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [rename(name), part])),
    late: late.map(rename),
  };
}

/** For the names in the class, the names in JSON. */
export function inverse(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([json, name]) => [name, json]));
}
