// Modules that the build generates (web/build/). Their loaders are by scenario.
declare module 'virtual:real-servers' {
  /** Counts of real servers; use-loaded.ts has the type. */
  export const realServers: Readonly<Record<string, () => Promise<{ found: unknown }>>>;
}

declare module 'virtual:source-views' {
  /** Source views; features/evidence/source-code.tsx has the type. */
  export const sourceViews: Readonly<Record<string, () => Promise<{ view: unknown }>>>;
}

declare module 'virtual:stages' {
  /** Stages; features/stage/stage.ts has the types. */
  export const stages: Readonly<Record<string, () => Promise<{ story: unknown; course: unknown }>>>;
}

declare module 'virtual:lesson-courses' {
  /** Recorded runs of lessons; features/presenter/recorded-runs.ts has the type. */
  export const lessonCourses: Readonly<Record<string, () => Promise<{ courses: readonly unknown[] }>>>;
}

declare module 'virtual:latch-help' {
  /** The syntax of the lab's language. */
  export const html: string;
}
