import { baseStyles } from './base-styles.js';

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

test('the texts of states can be read where the host gives no colours, in light and in dark', () => {
  const [, light, dark] = /\.tw-state\{[^}]*--color-text-secondary,light-dark\((#\w{6}),(#\w{6})\)/.exec(
    baseStyles,
  )!;
  expect(contrast(light!, '#ffffff')).toBeGreaterThan(4.5);
  expect(contrast(dark!, '#2a2a2a')).toBeGreaterThan(4.5);
});
