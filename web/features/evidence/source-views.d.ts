declare module 'virtual:source-views' {
  /** For each scenario what loads its source view, made by web/build/source-views.ts; source-view.ts knows the type. */
  export const source_views: unknown;
}
