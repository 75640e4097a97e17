import { launch } from './launch.mjs';

launch('lint-text');
