/** The words of a name, in lower case: `listPetsByTag`, `list-pets_by.tag`, `Pets/listByTag`, `HTTPServer`. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/['’]|\p{M}/gu, '')
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}
