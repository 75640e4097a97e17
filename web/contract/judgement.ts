// What `lab judge --json` and window.latchscope.lab.judge() say of an attempt.
import type { ExerciseCheck } from './lab-exercise.ts';

export interface JudgedCheck {
  kind: ExerciseCheck['kind'];
  holds: boolean;
  /** What was found, and what is wanted. */
  sentence: string;
}

export interface Judgement {
  holds: boolean;
  checks: JudgedCheck[];
}
