declare module 'virtual:real-servers' {
  /** For each scenario what loads its counts, made by web/build/real-servers.ts; real-servers.ts knows the type. */
  export const real_servers: unknown;
}
