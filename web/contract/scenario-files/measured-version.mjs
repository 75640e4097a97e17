/**
 * Version of measured files. Plain JavaScript, because the programs that measure real servers write
 * it.
 */
export const MEASURED_VERSION = 1;
