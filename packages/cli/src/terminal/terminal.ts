/** Where a command reads its surroundings and writes its words; tests bring one of their own. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: what the user asked for. */
  out(text: string): void;
  /** Everything else: progress, warnings, errors. */
  err(text: string): void;
  /** Columns to fit into; undefined when the output goes to no screen. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    cwd: process.cwd(),
    env,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    columns: stdout.isTTY ? stdout.columns : undefined,
    colours: wantsColours(env, stdout.isTTY),
  };
}

/** https://no-color.org, with FORCE_COLOR as the usual way to ask for colours in a pipe. */
export function wantsColours(env: Terminal['env'], isScreen: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0';
  return isScreen && env['TERM'] !== 'dumb';
}
