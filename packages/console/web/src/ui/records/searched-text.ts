/** Longer records are searched as far as this. */
const MAX_CHARACTERS = 20_000;

const texts = new WeakMap<object, string>();

/** A record as text in small letters, for a search. It is made once for each record, when somebody searches. */
export function searchedText(record: object): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record).slice(0, MAX_CHARACTERS).toLowerCase();
    texts.set(record, text);
  }
  return text;
}
