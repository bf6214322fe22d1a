import { compareParts } from './listed-parts.js';

const prompt = (more: object) => ({ prompts: { plan: { description: 'Plan.', ...more } } });

test.each<[string, object, object, string[]]>([
  ['a new prompt', { prompts: {} }, prompt({}), ['compatible the prompt was added']],
  ['a prompt that is gone', prompt({}), { prompts: {} }, ['breaking the prompt was removed']],
  ['the same prompt', prompt({}), prompt({}), []],
  ['a lock without prompts', {}, prompt({}), []],
  [
    'hidden characters',
    prompt({}),
    prompt({ description: 'Plan.\u200b' }),
    ['notable description changed', 'breaking hides characters that models read and nobody sees: U+200B'],
  ],
  [
    'arguments',
    prompt({ arguments: { gone: { required: false }, free: { required: true } } }),
    prompt({
      arguments: { added: { required: false }, must: { required: true }, free: { required: false } },
    }),
    [
      'compatible an optional argument was added',
      'compatible the argument is optional now',
      'breaking the argument was removed',
      'breaking a required argument was added',
    ],
  ],
])('%s', (_what, before, after, changes) => {
  expect(compareParts(before, after).map(({ impact, message }) => `${impact} ${message}`)).toEqual(changes);
});
