import { cutSentences, plainText } from '@toolwright/json';

/** Words of titles that name no API. */
const GENERAL = /\b(?:the|web|rest|http|open|public|api|apis|v\d[\d.]*)\b/gi;
const LONGEST = 40;

/** Where a tool came from: its API, and the part of the API. A search of tools shows both, and a query may name them. */
export function originOf(title: string, group: string): { origin: string; category: string } {
  const short = (text: string) => cutSentences(text, LONGEST);
  const whole = plainText(title);
  const bare = whole.replace(GENERAL, ' ').replace(/\s+/g, ' ').trim();
  return { origin: short(bare || whole) || 'API', category: short(plainText(group)) || 'other' };
}
