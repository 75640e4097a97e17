import type { LastSeen } from '../contract/manifest';

/**
 * Shows the real version in which the bug was last seen, and how. `isWhole` adds all other
 * sightings.
 */
export function LastSeenBadge({ lastSeen, isWhole = false }: { lastSeen: LastSeen; isWhole?: boolean }) {
  const { label, is_alive, sightings, remark } = lastSeen;
  const [first, ...more] = sightings;
  return (
    <p className="last-seen" data-is-alive={is_alive}>
      <strong className="last-seen-label">{!is_alive && remark !== null ? `${label};` : label}</strong>{' '}
      {!is_alive && remark !== null && `${remark} `}
      {first}.{isWhole && more.map((sighting) => ` ${sighting}.`)}
      {isWhole && is_alive && remark !== null && ` ${remark}`}
    </p>
  );
}
