import type { CompletedCommand } from './completed-command.js';
import { quote, valuePatterns } from './shell-words.js';

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
  local way='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$way $word" in (${paths}) way="$way $word" ;; esac
  done
  case "$way|$words[CURRENT-1]" in
${choices.map(({ pattern, values }) => `    (${pattern}) compadd ${values.map(quote).join(' ')}; return ;;`).join('\n')}
    (${files}) _files; return ;;
  esac
  case "$way" in
${words.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe option options
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
