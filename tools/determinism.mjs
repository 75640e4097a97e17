import { launch } from './launch.mjs';

launch('determinism');
