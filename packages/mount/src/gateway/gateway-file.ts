import { looksSecret, nearestNames, isObject } from '@toolwright/json';
import { type MountOptions, mountOptionNames, parseMount } from '../options.js';
import { type Finding, JsonSource } from './json-source.js';
import { problemsOf, readPolicy } from './read-policies.js';

/** One server of the file. */
export interface FiledMount {
  readonly name: string;
  readonly options: MountOptions;
}

/** What a file says. Its own part, `gateway`, is checked by those who use it. */
export interface GatewayFile {
  readonly mounts: readonly FiledMount[];
  readonly gateway: Readonly<Record<string, unknown>>;
}

/** Keys that hosts have, beside those of our mounts. */
const OF_HOSTS = ['type', 'disabled'];
/** Options whose members are texts. */
const TEXTS = ['env', 'args', 'headers'];
const TYPES = ['stdio', 'http', 'streamable-http', 'sse'];

type Env = Readonly<Record<string, string | undefined>>;

/** Reads a file in the form that hosts have (`mcpServers`), and finds all that is wrong with it. */
export class GatewayReader {
  readonly findings: Finding[] = [];
  readonly #source: JsonSource;

  constructor(
    text: string,
    private readonly env: Env,
  ) {
    this.#source = new JsonSource(text, this.findings);
  }

  read(): GatewayFile {
    const { value } = this.#source;
    if (!isObject(value)) {
      if (this.findings.length === 0) this.#wrong([], 'The file must hold an object with "mcpServers".');
      return { mounts: [], gateway: {} };
    }
    this.#onlyKnown([], ['mcpServers', 'gateway', '$schema'], value);
    const { mcpServers, gateway = {} } = value;
    if (!isObject(mcpServers)) this.#wrong(['mcpServers'], 'The file must have an object "mcpServers".');
    const servers = Object.entries(isObject(mcpServers) ? mcpServers : {});
    if (isObject(mcpServers) && servers.length === 0)
      this.#wrong(['mcpServers'], '"mcpServers" names no server.');
    const mounts = servers.flatMap(([name, server]) => this.#mount(name, server));
    this.#findSecrets(['gateway'], gateway);
    const expanded = this.#expanded(['gateway'], gateway);
    if (!isObject(expanded)) this.#wrong(['gateway'], '"gateway" must be an object.');
    return { mounts, gateway: isObject(expanded) ? expanded : {} };
  }

  /** Reports problems of options at the deepest place that they name. */
  report(path: readonly string[], error: unknown): void {
    for (const message of problemsOf(error)) {
      const named = [...message.matchAll(/"([\w$.-]+)"/g)].map(([, text]) => text!.split('.'));
      const places = [path, ...named.map((each) => [...path, ...each])];
      const offset = Math.max(...places.map((each) => this.#source.offsetOf(each)));
      this.findings.push({ message, offset });
    }
  }

  /** What is wrong, as `file:line:column: message`, in the order of the file. */
  lines(file: string): string[] {
    return [...this.findings]
      .sort((one, other) => one.offset - other.offset)
      .map(({ message, offset }) => {
        const { line, column } = this.#source.at(offset);
        return `${file}:${line}:${column}: ${message}`;
      });
  }

  #mount(name: string, server: unknown): FiledMount[] {
    const path = ['mcpServers', name];
    if (!isObject(server)) {
      this.#wrong(path, `"${name}" must be an object, with a "command" or a "url".`);
      return [];
    }
    const before = this.findings.length;
    this.#onlyKnown(path, [...OF_HOSTS, ...mountOptionNames], server);
    this.#findSecrets(path, server);
    const { type, disabled, policies, ...rest } = this.#expanded(path, server) as Record<string, unknown>;
    if (type !== undefined && !TYPES.includes(type as string))
      this.#wrong([...path, 'type'], `"type" must be ${TYPES.join(', ')}.`);
    if (disabled !== undefined && typeof disabled !== 'boolean')
      this.#wrong([...path, 'disabled'], '"disabled" must be true or false.');
    if (rest['auth'] === 'user')
      this.#wrong(
        [...path, 'auth'],
        'auth: "user" needs an app, which says how tokens are exchanged: see mountServer.',
      );
    const known = Object.fromEntries(
      Object.entries(rest)
        .filter(([key, value]) => value !== null && mountOptionNames.includes(key))
        .map(([key, value]) => [key, TEXTS.includes(key) ? this.#asTexts([...path, key], value) : value]),
    );
    const options: MountOptions = {
      ...known,
      ...(policies !== undefined && { policies: this.#policies([...path, 'policies'], policies) }),
    };
    if (this.findings.length > before) return [];
    try {
      parseMount(name, options);
    } catch (error) {
      this.report(path, error);
    }
    return disabled === true ? [] : [{ name, options }];
  }

  /** Hosts write `"PORT": 8080`. Programs get texts. */
  #asTexts(path: readonly string[], value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each]) => [
      key,
      this.#source.literalOf([...path, key]) ?? (each as unknown),
    ]);
    return Array.isArray(value)
      ? entries.map(([, each]) => each)
      : Object.fromEntries(entries.filter(([, each]) => each !== null));
  }

  #policies(path: readonly string[], value: unknown): NonNullable<MountOptions['policies']> {
    if (!isObject(value)) {
      this.#wrong(path, '"policies" must be an object, by patterns of names.');
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).map(([pattern, policy]) => [
        pattern,
        readPolicy(policy, (member, message) =>
          this.#wrong([...path, pattern, ...(member === '' ? [] : [member])], message),
        ),
      ]),
    );
  }

  /** A file is copied, committed and sent. A secret belongs into a variable. */
  #findSecrets(path: readonly string[], value: unknown, key = ''): void {
    if (typeof value === 'string') {
      const text = withoutVariables(value).replace(/^(?:Bearer|Basic)\s*$/i, '');
      // A path or a URL is not a secret, whatever its name says. A URL with a password is one.
      const name = /(?:file|path|dir|ur[il]|id|clientAuth)$/i.test(key) ? '' : key;
      // Ids of clients and audiences are public, and look like keys.
      if (path[0] === 'gateway' && /(?:^audience|Ids?)$/.test(key)) return;
      if (!looksSecret(name, text) || (value.includes('${') && !looksSecret('', text))) return;
      this.#wrong(path, `This looks like a secret. Write \${NAME}, and set the variable NAME.`);
    } else if (typeof value === 'object' && value !== null)
      for (const [member, each] of Object.entries(value))
        this.#findSecrets([...path, member], each, Array.isArray(value) ? key : member);
  }

  #expanded(path: readonly string[], value: unknown): unknown {
    if (typeof value === 'string')
      return withVariables(value, this.env, (name) =>
        this.#wrong(path, `The variable ${name} is not set. Set it, or write \${${name}:-default}.`),
      );
    if (Array.isArray(value))
      return value.map((each, index) => this.#expanded([...path, String(index)], each));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.#expanded([...path, key], each)]),
    );
  }

  #onlyKnown(path: readonly string[], known: readonly string[], value: object): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const [nearest] = nearestNames(key, known);
      const hint = nearest === undefined ? ` Keys are: ${known.join(', ')}.` : ` Did you mean "${nearest}"?`;
      this.#wrong([...path, key], `There is no key "${key}".${hint}`);
    }
  }

  #wrong(path: readonly string[], message: string): void {
    this.findings.push({ message, offset: this.#source.offsetOf(path) });
  }
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The text without its references to variables. A default value is part of the file. */
function withoutVariables(text: string): string {
  return text.replace(REFERENCE, (_all, _name, otherwise: string | undefined) => otherwise ?? '');
}

/**
 * Writes the values of variables in place of `${NAME}` and `${NAME:-default}`.
 *
 * @param missing hears of each variable that is not set
 */
function withVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): string {
  return text.replace(REFERENCE, (_all, name: string, otherwise: string | undefined) => {
    const value = env[name];
    if (value !== undefined && (value !== '' || otherwise === undefined)) return value;
    if (otherwise === undefined) missing(name);
    return otherwise ?? '';
  });
}
