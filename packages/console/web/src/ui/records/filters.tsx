interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly change: (value: string) => void;
}

/** Chooses one value, or all. A value that no record has any more stays, so that the choice stays visible. */
export function FilterSelect({ label, value, options, change }: SelectProps) {
  const all = value === '' || options.includes(value) ? options : [...options, value];
  return (
    <select aria-label={label} value={value} onChange={({ target }) => change(target.value)}>
      <option value="">{label}: all</option>
      {all.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

export function FilterText({ label, value, change }: TextProps) {
  return (
    <input
      type="search"
      data-search
      aria-label={label}
      placeholder={`${label} ( / )`}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  );
}

/** The different values of something, sorted. */
export function valuesOf<T>(rows: readonly T[], value: (row: T) => string | undefined): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    const each = value(row);
    if (each !== undefined && each !== '') found.add(each);
  }
  return [...found].sort();
}

/** The words of a search, in small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
