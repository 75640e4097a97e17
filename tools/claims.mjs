import { launch } from './launch.mjs';

launch('claims');
