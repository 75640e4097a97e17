import { launch } from './launch.mjs';

launch('soak');
