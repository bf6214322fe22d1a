/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast that text needs: success criterion 1.4.3 of WCAG 2.2. */
export const ENOUGH_CONTRAST = 4.5;

/** Reads `#0b57d0`. @returns undefined for any other text */
export function readColor(text: string): Rgb | undefined {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
  return red === undefined ? undefined : [hex(red), hex(green!), hex(blue!)];
}

const hex = (text: string) => Number.parseInt(text, 16);

/** The contrast ratio of two colors, from 1 to 21, as WCAG 2.2 defines it. */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = readColor(color)!.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The color itself, or the nearest mixture of it with another one whose contrast with a page is enough. */
export function legibleOn(page: string, color: string, mixedWith: string): string {
  for (let share = 0; share < 1; share += 0.01) {
    const mixed = mixtureOf(color, mixedWith, share);
    if (contrastOf(mixed, page) >= ENOUGH_CONTRAST) return mixed;
  }
  return mixedWith;
}

function mixtureOf(color: string, other: string, share: number): string {
  const [one, two] = [readColor(color)!, readColor(other)!];
  const parts = one.map((part, at) => Math.round(part + (two[at]! - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
