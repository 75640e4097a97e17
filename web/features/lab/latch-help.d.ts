declare module 'virtual:latch-help' {
  /** The syntax of the lab's language; web/build/latch-help.ts generates it. */
  export const html: string;
}
