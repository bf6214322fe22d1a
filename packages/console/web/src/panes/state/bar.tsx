/** How much of something is used: as a bar, and in numbers. */
export function Bar({ value, most }: { value: number; most: number | null }) {
  // JSON has no infinity: a limit without an end comes as null.
  const isLimited = most !== null && Number.isFinite(most);
  const share = isLimited ? Math.min(1, value / most) : 0;
  return (
    <span className="bar-cell">
      <span className={`bar ${share >= 1 ? 'full' : ''}`} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {isLimited ? `${value} of ${most}` : value}
    </span>
  );
}
