// Exports the parts of imports that tools/import-command.mjs uses.
export { benchmarkPoints } from './benchmark-curve';
export { importReport } from './import-report';
export { beginsAsOwnFile } from '../../contract/run-result-text';
export { OwnFileRefused, readOwnFile, requireOwnSize } from './own-files';
export { isGzip, readProfile } from './pprof';
export { formatDurationNs, formatFigure, formatShare } from '../format';
export { serverTitles, versionsInWords, versionVerdict } from './bug-versions';
export { ImportRefused } from './reader';
export { SnapshotsRefused } from './snapshots';
export { TextImport } from './text-import';
