import { quote, refusal } from '../errors/refusal.js';

/** How often a text is decoded in search of what it hides. Nobody encodes a name more often than that. */
const DECODINGS = 4;

/** Device names that Windows finds in every folder, with whatever extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/**
 * The segments of a relative path that stays where it begins, by its text alone; links are looked at later.
 *
 * @throws ToolError `TW_SAFE_PATH`
 */
export function parseRelativePath(input: string, platform: NodeJS.Platform = process.platform): string[] {
  if (input.includes('\0'))
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} contains a NUL character.`);
  for (const reading of readingsOf(input)) checkReading(reading, input);
  const segments = input
    .split(platform === 'win32' ? /[\\/]/ : '/')
    .filter((segment) => !['', '.'].includes(segment));
  if (platform === 'win32') for (const segment of segments) checkWindowsSegment(segment, input);
  return segments;
}

/**
 * What a later layer might take the text for: percent-decoded again and again, and with full-width or other
 * compatible forms of dots and slashes made plain. The file system does neither, but whatever a path is passed on to
 * may.
 */
function readingsOf(input: string): Set<string> {
  const readings = new Set([input]);
  let current = input;
  for (let round = 0; round < DECODINGS; round += 1) {
    readings.add(current.normalize('NFKC'));
    current = decodeLoosely(current);
    readings.add(current);
  }
  return readings;
}

/** Escapes that are not UTF-8 stay: overlong forms (`%c0%ae`) are read as the ASCII that lax decoders see in them. */
function decodeLoosely(text: string): string {
  const overlong = text.replace(
    /%c0%(ae|af|9c)|%c1%9c/gi,
    (escape) => ({ '%c0%ae': '.', '%c0%af': '/' })[escape.toLowerCase()] ?? '\\',
  );
  return overlong.replace(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));
}

function checkReading(reading: string, input: string): void {
  const segments = reading.split(/[\\/]/);
  const absolute = /^([\\/]|[a-z]:)/i.test(reading);
  if (absolute)
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} is absolute. Give one relative to the folder.`);
  // Windows drops trailing dots and spaces: ".. " and "..." reach the parent too.
  const climbs = segments.some((segment) => /^\s*\.\.[. ]*\s*$/.test(segment));
  if (climbs)
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} leads out of the folder. Give one without "..".`);
  if (reading.includes('\0'))
    throw refusal('TW_SAFE_PATH', `The path ${quote(input)} contains a NUL character.`);
}

function checkWindowsSegment(segment: string, input: string): void {
  // A colon names a stream of the file; 8.3 names reach files under a second name.
  const odd = DEVICE.test(segment) || /[<>:"|?*]|[. ]$|~\d/.test(segment);
  if (odd)
    throw refusal(
      'TW_SAFE_PATH',
      `The path ${quote(input)} has a name that Windows takes for something else.`,
    );
}
