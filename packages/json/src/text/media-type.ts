/** The media type of a `Content-Type` header: in lower case and without its parameters. It is empty if there is none. */
export const mediaTypeIn = (header: string | null | undefined): string =>
  header?.split(';', 1)[0]!.trim().toLowerCase() ?? '';
