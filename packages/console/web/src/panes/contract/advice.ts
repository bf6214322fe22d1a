/** Why each rule of the linter exists and what to do, in one or two sentences. The guide of the linter says more. */
export const advice: Readonly<Record<string, string>> = {
  'tool-name': 'Every host accepts letters, digits, "_" and "-", at most 64. Rename the tool.',
  'verb-first': 'A name such as "find_notes" says what happens. Begin the name with a verb.',
  'description-missing':
    'Without a description a model guesses from the name. Write a doc comment above the method.',
  'description-placeholder': 'Models read what is left over from a template. Replace it.',
  'returns-missing':
    'A model wants to know what it gets. Say in the description what the tool returns; "toolwright lint --fix" copies @returns.',
  'parameter-description': 'Write "@param name what it is", or a comment on the property.',
  'number-unbounded': 'With @minimum and @maximum a model asks for ten results, not for a million.',
  'text-unbounded':
    'Give the text a @maxLength, a @pattern, a @format, or a union of the words that it may be.',
  'hidden-unicode':
    'Models read characters that people cannot see, so somebody can hide instructions in them. Remove them.',
  'annotations-missing':
    'Hosts decide by hints whether to ask their user. Set readOnlyHint or destructiveHint.',
  'destructive-unconfirmed': 'The tool may destroy something. Add @Confirm, so that a person is asked.',
  'list-size':
    'The whole list goes to the model in every conversation. Write shorter descriptions, or split the server.',
};
