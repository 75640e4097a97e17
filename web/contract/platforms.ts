/** Where the engine runs: on real threads of this machine, or on a modeled server. */
export const all_platforms = ['threads', 'virtual'] as const;
export type Platform = (typeof all_platforms)[number];
