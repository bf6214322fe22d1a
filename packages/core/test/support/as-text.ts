/** The JSON of a value, with everything that an error hides from JSON. */
export const asText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Error
      ? { message: part.message, stack: part.stack, cause: part.cause }
      : typeof part === 'bigint'
        ? String(part)
        : part,
  );
