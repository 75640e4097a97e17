declare module 'virtual:real-servers' {
  /**
   * Loaders of each scenario's counts. web/build/real-servers.ts generates them;
   * use-real-servers.ts has the type.
   */
  export const realServers: unknown;
}
