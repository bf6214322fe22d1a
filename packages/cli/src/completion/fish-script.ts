import type { CompletedCommand } from './completed-command.js';

/** Completion for fish, with a description beside each word. */
export function fishScript(name: string, commands: readonly CompletedCommand[]): string {
  const paths = commands
    .slice(1)
    .map(({ path }) => fishQuote(path))
    .join(' ');
  const at = (path: string) => `complete -c ${name} -n "__${name}_at ${fishQuote(path)}"`;
  const lines = commands.flatMap(({ path, commands: inner, options }) => [
    ...inner.map((each) => `${at(path)} -f -a ${fishQuote(each.name)} -d ${fishQuote(each.about)}`),
    ...options.map(({ names, about, takesValue, choices }) => {
      const flags = names.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const value = choices.length > 0 ? ` -x -a ${fishQuote(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `${at(path)} ${flags.join(' ')}${value} -d ${fishQuote(about)}`;
    }),
  ]);
  return `# Completion of ${name} for fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish
function __${name}_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch "$path $word"
      case ${paths}
        set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Text in single quotes for fish, where a backslash escapes. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
