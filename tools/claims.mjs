import { launch } from './launch.mjs';

launch('evidence', 'claims');
