import { createInterface } from 'node:readline/promises';

/**
 * Asks the person at the terminal for every choice that no flag has made. An empty answer takes the first.
 *
 * @returns the answers by flag, as they were typed
 */
export async function askFor(
  choices: Record<string, readonly string[]>,
  given: Record<string, unknown>,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (const [flag, words] of Object.entries(choices)) {
      if (given[flag] !== undefined) continue;
      const answer = (await lines.question(`${flag} (${words.join(', ')}) [${words[0]!}]: `)).trim();
      if (answer) answers[flag] = answer;
    }
    return answers;
  } finally {
    lines.close();
  }
}
