/** A list for what a test opens: after each test its members are closed, the last one first. */
export function closedAfterEach<Opened extends { close(): unknown }>(
  close = (opened: Opened): unknown => opened.close(),
): Opened[] {
  const all: Opened[] = [];
  afterEach(async () => {
    for (const opened of all.splice(0).reverse()) await close(opened);
  });
  return all;
}
