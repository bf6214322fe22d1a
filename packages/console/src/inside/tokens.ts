/** Models differ; on JSON a token has about four characters. */
const CHARACTERS_PER_TOKEN = 4;

/** How many tokens a value takes in the context of a model, about. */
export function tokensOf(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / CHARACTERS_PER_TOKEN);
}
