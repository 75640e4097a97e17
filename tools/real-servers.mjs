import { launch } from './launch.mjs';

launch('real-servers');
