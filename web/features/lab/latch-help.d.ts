declare module 'virtual:latch-help' {
  /** How the lab's language is written, made by web/build/latch-help.ts. */
  export const html: string;
}
