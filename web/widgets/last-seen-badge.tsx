import type { LastSeen } from '../contract/manifest';

/**
 * Shows the real version in which the bug was last seen, and how. `is_whole` adds all other
 * sightings.
 */
export function LastSeenBadge({ last_seen, is_whole = false }: { last_seen: LastSeen; is_whole?: boolean }) {
  const { label, is_alive, sightings, remark } = last_seen;
  const [first, ...more] = sightings;
  return (
    <p className="last-seen" data-is-alive={is_alive}>
      <strong className="last-seen-label">{!is_alive && remark !== null ? `${label};` : label}</strong>{' '}
      {!is_alive && remark !== null && `${remark} `}
      {first}.{is_whole && more.map((sighting) => ` ${sighting}.`)}
      {is_whole && is_alive && remark !== null && ` ${remark}`}
    </p>
  );
}
