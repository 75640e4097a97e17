// Of jStat only what is used here; it comes without types.
declare module 'jstat' {
  const jstat: {
    studentt: {
      /** Quantile of Student's t distribution. */
      inv: (probability: number, degrees_of_freedom: number) => number;
    };
  };
  export default jstat;
}
