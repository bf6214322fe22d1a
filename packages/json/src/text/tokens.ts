/** Tokenizers of models differ; in JSON and in code, about four bytes are a token. */
const BYTES_PER_TOKEN = 4;

/** How many tokens a text of some bytes takes in the context of a model, about. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** How many tokens a value takes as JSON, about. Every estimate is this one; only a build counts exactly. */
export function tokensOf(value: unknown): number {
  return tokensOfBytes(Buffer.byteLength(JSON.stringify(value) ?? ''));
}
