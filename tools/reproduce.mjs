import { launch } from './launch.mjs';

launch('reproduce');
