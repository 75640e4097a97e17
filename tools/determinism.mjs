import { launch } from './launch.mjs';

launch('evidence', 'determinism');
