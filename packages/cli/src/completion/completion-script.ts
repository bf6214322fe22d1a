import type { Command, Option } from 'commander';

export interface CompletedOption {
  /** `--format`, `-f`. */
  names: string[];
  about: string;
  /** Whether a value follows it. */
  takesValue: boolean;
  /** The possible values; empty if any value is allowed. */
  choices: readonly string[];
}

/** What can follow a command. */
export interface CompletedCommand {
  /** For example ` new app`: every word with a space before it. Empty for the program itself. */
  path: string;
  /** Its commands, or the words that its first argument may be. */
  commands: { name: string; about: string }[];
  options: CompletedOption[];
}

/** The program and all its commands, outer ones first. */
export function completedCommands(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const inner = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const [argument] = command.registeredArguments;
  const described = {
    path,
    commands: [
      ...inner.map((each) => ({
        name: each.name(),
        about: firstSentence(help.subcommandDescription(each)),
      })),
      ...(argument?.argChoices ?? []).map((name) => ({ name, about: firstSentence(argument!.description) })),
    ],
    options: help.visibleOptions(command).map(describe),
  };
  return [described, ...inner.flatMap((each) => completedCommands(each, `${path} ${each.name()}`))];
}

function describe({ long, short, required, optional, argChoices, description }: Option): CompletedOption {
  return {
    names: [long, short].filter((name) => name !== undefined),
    about: firstSentence(description),
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** A menu shows one line for each word. */
function firstSentence(text: string): string {
  return text.split(/[;\n]/)[0]!.trim();
}

/** Text in single quotes for bash and zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface ValuePatterns {
  /** Patterns for `case`: a path, a bar and the option before the cursor, with the values that may follow. */
  choices: { pattern: string; values: readonly string[] }[];
  /** The same pattern for all options with a free value. File names are the best guess for these. */
  files: string;
}

function valuePatterns(commands: readonly CompletedCommand[]): ValuePatterns {
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => ({
        pattern: names.map((name) => quote(`${path}|${name}`)).join('|'),
        values: choices,
      })),
  );
  return {
    choices: valued.filter(({ values }) => values.length > 0),
    files: valued
      .filter(({ values }) => values.length === 0)
      .map(({ pattern }) => pattern)
      .join('|'),
  };
}

/** The commands whose first argument is the name of a tool. */
export const NAMING_TOOLS = [' call', ' explain'];

/** Completion for bash 3.2 and later. The script contains all words but the names of tools, so pressing Tab rarely starts a process. */
export function bashScript(name: string, commands: readonly CompletedCommand[]): string {
  const paths = commands
    .slice(1)
    .map(({ path }) => quote(path))
    .join('|');
  const words = commands.map(
    ({ path, commands: inner, options }) =>
      `    ${quote(path)}) commands=${quote(inner.map((each) => each.name).join(' '))}; ` +
      `options=${quote(options.flatMap(({ names }) => names).join(' '))} ;;`,
  );
  const { choices, files } = valuePatterns(commands);
  return `# Completion of ${name} for bash: ${name} completion bash > ~/.${name}-completion; source it in ~/.bashrc
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} before='' path='' word commands='' options='' typed
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${paths}) path="$path $word" ;; esac
  done
  COMPREPLY=()
  # --format=json is one word, or three where "=" separates words.
  case "$current" in
    =) current='' ;;
    --*=*) previous=\${current%%=*}; before=$previous=; current=\${current#*=} ;;
    *) if [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi ;;
  esac
  case "$path|$previous" in
${choices.map(({ pattern, values }) => `    ${pattern}) COMPREPLY=($(compgen -P "$before" -W ${quote(values.join(' '))} -- "$current")); return ;;`).join('\n')}
    ${files}) return ;;
  esac
  case "$path" in
${words.join('\n')}
  esac
  case "$path|$current" in
    *'|'-*) commands=$options ;;
    ${NAMING_TOOLS.map((path) => `${quote(`${path}|`)}*`).join('|')})
      typed=\${COMP_LINE:0:COMP_POINT}
      read -ra typed <<< "\${typed%"$current"}"
      commands=$("\${COMP_WORDS[0]}" complete-tools "\${typed[@]:2}" 2> /dev/null) ;;
  esac
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

/** Completion for zsh, with a description beside each word. */
export function zshScript(name: string, commands: readonly CompletedCommand[]): string {
  const paths = commands
    .slice(1)
    .map(({ path }) => quote(path))
    .join('|');
  const words = commands.map(({ path, commands: inner, options }) => {
    const named = inner.map((each) => entry(each.name, each.about));
    const flags = options.flatMap(({ names, about }) => names.map((flag) => entry(flag, about)));
    return `    (${quote(path)}) commands=(${named.join(' ')}); options=(${flags.join(' ')}) ;;`;
  });
  const { choices, files } = valuePatterns(commands);
  return `#compdef ${name}
# Completion of ${name} for zsh: ${name} completion zsh > _${name}, in a folder of $fpath
_${name}() {
  local way='' word previous=$words[CURRENT-1]
  local -a commands options tools
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$way $word" in (${paths}) way="$way $word" ;; esac
  done
  if [[ "$words[CURRENT]" == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case "$way|$previous" in
${choices.map(({ pattern, values }) => `    (${pattern}) compadd ${values.map(quote).join(' ')}; return ;;`).join('\n')}
    (${files}) _files; return ;;
  esac
  case "$way" in
${words.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe option options
  elif [[ "$way" == (${NAMING_TOOLS.map(quote).join('|')}) ]]; then
    tools=("\${(@f)$("$words[1]" complete-tools "\${(@Q)words[3,CURRENT-1]}" 2> /dev/null)}")
    compadd -- $tools
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

/** `word:description`. A colon in either part has to be escaped. */
function entry(word: string, about: string): string {
  return quote(`${word.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`);
}

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
  const tools = NAMING_TOOLS.map(
    (path) => `${at(path)} -f -a "(${name} complete-tools (commandline -opc)[3..-1] 2> /dev/null)"`,
  );
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
${[...lines, ...tools].join('\n')}
`;
}

/** Text in single quotes for fish, where a backslash escapes. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
