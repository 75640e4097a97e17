// Bug #104615: counts the commits that stall, and for how long, while a rotation of the binary log
// deletes old files on a slow disk.

/** @param {{ files: number, unlink_ms: number }} one */
export const stallPhase = ({ files, unlink_ms }) => `${files} files, ${unlink_ms} ms each`;

/** @param {import('./phases.mjs').Phase[]} phases */
export const purgeStallFigures = (phases) =>
  Object.fromEntries(
    phases.flatMap(({ phase, operations }) => {
      const deletingMs = operations.files * operations.unlink_ms;
      return [
        [`${phase}: commits that stand`, operations.commits_standing],
        [`${phase}: longest COMMIT, of the time to delete`, operations.longest_commit_ms / deletingMs],
        [`${phase}: gap in all commits, of the time to delete`, operations.longest_gap_ms / deletingMs],
      ];
    }),
  );
