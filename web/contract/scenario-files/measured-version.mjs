/** Of the form of measured files; plain JavaScript, because the programs that measure real servers write it. */
export const MEASURED_VERSION = 1;
