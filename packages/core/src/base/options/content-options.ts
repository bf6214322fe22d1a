import type { ContentAnnotations, Icon, ToolAnnotations } from '../content/content.js';
import type { ResourceCaching } from '../content/resource-caching.js';
import type { OptionSchema } from './option-schema.js';
import { count, either, flag, group, listOf, named, oneOf, required, text } from './rules.js';

const amongTexts = listOf('a list of strings', text);

export const iconOptions = {
  src: required(text),
  mimeType: text,
  sizes: either(amongTexts, text),
  theme: oneOf('light', 'dark'),
} satisfies OptionSchema<Icon>;

export const icons = listOf('a list of icons', group(iconOptions));

export const contentAnnotationOptions = {
  audience: listOf("a list of 'user' and 'assistant'", oneOf('user', 'assistant')),
  priority: {
    expected: 'a number from 0 to 1',
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  lastModified: text,
} satisfies OptionSchema<ContentAnnotations>;

export const toolAnnotationOptions = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
} satisfies OptionSchema<ToolAnnotations>;

export const cachingOptions = {
  ttlMs: required(named('whole milliseconds from 0 on', count)),
  scope: oneOf('public', 'private'),
} satisfies OptionSchema<ResourceCaching>;
