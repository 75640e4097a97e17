import { launch } from './launch.mjs';

launch('contract');
