/** Finds converted tools by their names; a missing one was refused. */
export function byName<T extends { name: string }>(tools: T[]): (name: string) => T {
  const found = new Map(tools.map((tool) => [tool.name, tool]));
  return (name) => {
    const tool = found.get(name);
    if (!tool) throw new Error(`The converter left ${name} out.`);
    return tool;
  };
}
