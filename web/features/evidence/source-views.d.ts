declare module 'virtual:source-views' {
  /**
   * Loaders of each scenario's source view. web/build/source-views.ts generates them;
   * source-view.ts has the type.
   */
  export const sourceViews: unknown;
}
