// Exports the parts of imports that tools/import-command.mjs uses.
export { benchmarkPoints } from './benchmark-curve';
export { importReport } from './import-report';
export { isGzip, readProfile } from './pprof';
export { ImportRefused } from './reader';
export { SnapshotsRefused } from './snapshots';
export { TextImport } from './text-import';
