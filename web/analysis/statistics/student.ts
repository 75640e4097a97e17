/** Half the width of a 95 % interval in standard errors: the 97.5th percentile of Student's t distribution. */
export type StudentT95 = (degrees_of_freedom: number) => number;

const UPPER_TAIL = 0.975;

/** jStat is fetched when it is first needed. */
export async function loadStudentT95(): Promise<StudentT95> {
  const { default: jstat } = await import('jstat');
  return (degrees_of_freedom) => jstat.studentt.inv(UPPER_TAIL, degrees_of_freedom);
}
